/** Folders without a usable repository. */
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, git, initialise, repository, run, write } from '../testbed.ts';
import { Unsupported, type Kind } from '../kind.ts';

export const NO_REPOSITORY: readonly Kind[] = [
  {
    name: 'no repository',
    make({ place }) {
      write(place, ADDER);
      return { cwd: place, expected: { exitCode: 4, messages: [/is not in a git repository/, /git init/] } };
    },
  },
  {
    name: 'git is not installed',
    make(testbed) {
      const programs = join(testbed.home, 'programs');
      mkdirSync(programs);
      for (const name of ['sh', 'sed']) symlinkSync(`/bin/${name}`, join(programs, name));
      const expected = { exitCode: 4, messages: [/git is not installed/, /Install git/] };
      return { cwd: repository(testbed), env: { PATH: programs }, expected };
    },
  },
  {
    name: 'bare repository',
    make(testbed) {
      const root = initialise(testbed, 'project', '--bare');
      return { cwd: root, expected: { exitCode: 4, messages: [/bare repository/, /git clone/] } };
    },
  },
  {
    name: 'inside the .git folder',
    make(testbed) {
      const root = repository(testbed);
      return {
        cwd: join(root, '.git'),
        expected: { exitCode: 4, messages: [/inside a \.git folder/, /cd to/] },
      };
    },
  },
  {
    name: 'no commits',
    make(testbed) {
      const root = initialise(testbed);
      write(root, ADDER);
      return { cwd: root, expected: { exitCode: 4, messages: [/has no commits/, /git commit/] } };
    },
  },
  {
    name: 'a branch without commits, checked out in a repository with commits',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      git(testbed, root, 'symbolic-ref', 'HEAD', 'refs/heads/fresh');
      return { cwd: root, expected: { exitCode: 4, messages: [/has no commits/, /git commit/] } };
    },
  },
  {
    name: '.git is a file that points to a missing folder',
    make({ place }) {
      write(place, { ...ADDER, '.git': 'gitdir: ../gone\n' });
      return { cwd: place, expected: { exitCode: 4, messages: [/\.\.\/gone|not .*git repository/, /git /] } };
    },
  },
  {
    name: 'the repository belongs to another user',
    make(testbed) {
      if (process.getuid?.() !== 0) throw new Unsupported('another owner: needs root');
      const root = repository(testbed);
      run(testbed, testbed.place, 'chown', '-R', '12345:12345', root);
      chownSync(testbed.place, 12345, 12345);
      return { cwd: root, expected: { exitCode: 4, messages: [/another user/, /safe\.directory/] } };
    },
  },
  {
    name: 'the git configuration cannot be parsed',
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'config'), '[core\n');
      return { cwd: root, expected: { exitCode: 4, messages: [/config/, /line 1/] } };
    },
  },
  {
    name: 'a repository format newer than git',
    make(testbed) {
      const root = repository(testbed);
      git(testbed, root, 'config', 'core.repositoryFormatVersion', '99');
      return { cwd: root, expected: { exitCode: 4, messages: [/version/, /99/] } };
    },
  },
  {
    name: 'the folder cannot be entered',
    make(testbed) {
      if (process.getuid?.() !== 0) throw new Unsupported('another user: needs root');
      const root = repository(testbed);
      for (const folder of [join(testbed.place, '..'), testbed.home, testbed.temporary])
        chmodSync(folder, 0o777);
      chmodSync(root, 0o711);
      const prefix = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      return {
        cwd: root,
        prefix,
        expected: { exitCode: 4, messages: [/another user|cannot be|cannot read/, /git |permission/i] },
      };
    },
  },
];
