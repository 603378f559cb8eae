/** Places that are no repository that ralph could work in. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, git, initialise, repository, run, write } from '../ground.ts';
import { NotHere, type Kind } from '../kind.ts';

export const NO_REPOSITORY: readonly Kind[] = [
  {
    name: 'no repository',
    make({ place }) {
      write(place, ADDER);
      return { cwd: place, expected: { exitCode: 4, says: [/is not in a git repository/, /git init/] } };
    },
  },
  {
    name: 'git is not installed',
    make(ground) {
      const programs = join(ground.home, 'programs');
      mkdirSync(programs);
      for (const name of ['sh', 'sed']) symlinkSync(`/bin/${name}`, join(programs, name));
      const expected = { exitCode: 4, says: [/git is not installed/, /Install git/] };
      return { cwd: repository(ground), env: { PATH: programs }, expected };
    },
  },
  {
    name: 'bare repository',
    make(ground) {
      const root = initialise(ground, 'project', '--bare');
      return { cwd: root, expected: { exitCode: 4, says: [/bare repository/, /git clone/] } };
    },
  },
  {
    name: 'inside the .git folder',
    make(ground) {
      const root = repository(ground);
      return { cwd: join(root, '.git'), expected: { exitCode: 4, says: [/inside a \.git folder/, /cd to/] } };
    },
  },
  {
    name: 'no commits',
    make(ground) {
      const root = initialise(ground);
      write(root, ADDER);
      return { cwd: root, expected: { exitCode: 4, says: [/has no commits/, /git commit/] } };
    },
  },
  {
    name: 'a branch without commits beside one that has some',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      git(ground, root, 'symbolic-ref', 'HEAD', 'refs/heads/fresh');
      return { cwd: root, expected: { exitCode: 4, says: [/has no commits/, /git commit/] } };
    },
  },
  {
    name: '.git is a file that leads nowhere',
    make({ place }) {
      write(place, { ...ADDER, '.git': 'gitdir: ../gone\n' });
      return { cwd: place, expected: { exitCode: 4, says: [/\.\.\/gone|not .*git repository/, /git /] } };
    },
  },
  {
    name: 'the repository belongs to another user',
    make(ground) {
      if (process.getuid?.() !== 0) throw new NotHere('another owner: needs root');
      const root = repository(ground);
      run(ground, ground.place, 'chown', '-R', '12345:12345', root);
      chownSync(ground.place, 12345, 12345);
      return { cwd: root, expected: { exitCode: 4, says: [/another user/, /safe\.directory/] } };
    },
  },
  {
    name: 'the git configuration cannot be parsed',
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'config'), '[core\n');
      return { cwd: root, expected: { exitCode: 4, says: [/config/, /line 1/] } };
    },
  },
  {
    name: 'a repository format of the future',
    make(ground) {
      const root = repository(ground);
      git(ground, root, 'config', 'core.repositoryFormatVersion', '99');
      return { cwd: root, expected: { exitCode: 4, says: [/version/, /99/] } };
    },
  },
  {
    name: 'the folder cannot be entered',
    make(ground) {
      if (process.getuid?.() !== 0) throw new NotHere('another user: needs root');
      const root = repository(ground);
      for (const folder of [join(ground.place, '..'), ground.home, ground.temporary])
        chmodSync(folder, 0o777);
      chmodSync(root, 0o711);
      const through = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      return {
        cwd: root,
        through,
        expected: { exitCode: 4, says: [/another user|cannot be|cannot read/, /git |permission/i] },
      };
    },
  },
];
