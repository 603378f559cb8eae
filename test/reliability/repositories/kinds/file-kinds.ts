/** What is no plain file, or one with unusual rights. */
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, repository, run, testOf, write, type Ground } from '../ground.ts';
import { HONEST_FIX, NotHere, REPAIRED, type Kind } from '../kind.ts';

const NOBODY = 65_534;

/** Gives the ground to a user without rights, and the words that make a program run as that user. */
function asNobody(ground: Ground): string[] {
  if (process.getuid?.() !== 0) throw new NotHere('another user: needs root');
  const base = join(ground.place, '..');
  for (const folder of [base, ...readdirSync(base).map((name) => join(base, name))])
    chownSync(folder, NOBODY, NOBODY);
  run(ground, base, 'chown', '-hR', `${NOBODY}:${NOBODY}`, base);
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}

export const FILE_KINDS: readonly Kind[] = [
  {
    name: 'symbolic links in a loop, to nothing, to themselves',
    make(ground) {
      const links = {
        one: { to: 'two' },
        two: { to: 'one' },
        self: { to: 'self' },
        gone: { to: 'no/where' },
      };
      return {
        cwd: repository(ground, { ...ADDER, ...links, 'src/up': { to: '../src' } }),
        expected: REPAIRED,
      };
    },
  },
  {
    name: 'absolute symbolic links out of the repository and into it',
    make(ground) {
      const outside = join(ground.place, 'outside');
      write(outside, { 'file.txt': 'outside\n' });
      const root = join(ground.place, 'project');
      const links = {
        out: { to: outside },
        'out.txt': { to: join(outside, 'file.txt') },
        in: { to: join(root, 'src') },
      };
      return { cwd: repository(ground, { ...ADDER, ...links, etc: { to: '/etc' } }), expected: REPAIRED };
    },
  },
  {
    name: 'the source is a symbolic link to the file with the bug',
    fullOnly: true,
    make(ground) {
      const files = { ...ADDER, 'src/add.js': { to: '../lib/real.js' }, 'lib/real.js': BUGGY };
      const actor = "sed -i 's/a - b/a + b/' lib/real.js";
      return { cwd: repository(ground, files), actor, expected: { repaired: ['project/lib/real.js'] } };
    },
  },
  {
    name: 'the source is reached through a symbolic link to its folder',
    fullOnly: true,
    make(ground) {
      const files = { 'package.json': ADDER['package.json']!, 'lib/add.js': BUGGY, src: { to: 'lib' } };
      const root = repository(ground, { ...files, 'test/add.test.js': testOf('../src/add.js') });
      return { cwd: root, expected: { repaired: ['project/lib/add.js'] } };
    },
  },
  {
    name: 'a symbolic link in the place of a tracked folder',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'docs/one.txt': '1\n' });
      write(ground.place, { 'outside/one.txt': 'outside\n' });
      run(ground, root, 'rm', '-r', 'docs');
      symlinkSync('../outside', join(root, 'docs'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a FIFO',
    make(ground) {
      const root = repository(ground);
      run(ground, root, 'mkfifo', 'pipe', 'src/pipe');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a FIFO in the place of a tracked file',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'notes.txt': 'notes\n' });
      run(ground, root, 'sh', '-c', 'rm notes.txt && mkfifo notes.txt');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a socket',
    fullOnly: true,
    async make(ground) {
      const root = repository(ground);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
      return { cwd: root, expected: REPAIRED, cleanUp: () => server.close() };
    },
  },
  {
    name: 'a device',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      try {
        run(ground, root, 'mknod', 'zero', 'c', '1', '5');
      } catch {
        throw new NotHere('a device: needs the right to make one');
      }
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'files and folders that nobody may read',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'tracked.txt': 'secret\n' });
      write(root, { 'untracked.txt': 'secret\n', 'closed/inner.txt': 'secret\n' });
      const through = asNobody(ground);
      for (const path of ['tracked.txt', 'untracked.txt', 'closed']) chmodSync(join(root, path), 0);
      return { cwd: root, through, expected: { ...REPAIRED, says: [/does not have .*tracked\.txt/] } };
    },
  },
  {
    name: 'the source is in a folder that may not be written',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const through = asNobody(ground);
      chmodSync(join(root, 'src'), 0o555);
      const expected = { exitCode: 4, says: [/could not be written/, /permission/] };
      return { cwd: root, through, expected };
    },
  },
  {
    name: 'the second of two files is in a folder that may not be written',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'zone/notes.txt': 'notes\n' });
      const through = asNobody(ground);
      chmodSync(join(root, 'zone'), 0o555);
      const expected = { exitCode: 4, says: [/could not be written/, /taken back/] };
      return { cwd: root, actor: `${HONEST_FIX}; echo more >> zone/notes.txt`, through, expected };
    },
  },
  {
    name: 'another folder may not be written',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, 'docs/one.txt': '1\n' });
      const through = asNobody(ground);
      chmodSync(join(root, 'docs'), 0o555);
      return { cwd: root, through, expected: REPAIRED };
    },
  },
  {
    name: 'a read-only file with the bug, and others with rights of their own',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'private.txt': 'mine\n', 'script.sh': '#!/bin/sh\n' });
      for (const [path, mode] of [
        ['src/add.js', 0o444],
        ['private.txt', 0o600],
        ['script.sh', 0o711],
      ] as const) {
        chmodSync(join(root, path), mode);
      }
      commit(ground, root, 'modes');
      return { cwd: root, through: asNobody(ground), expected: REPAIRED };
    },
  },
  {
    name: 'the bug is in a program',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      chmodSync(join(root, 'src', 'add.js'), 0o750);
      commit(ground, root, 'a program');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'file modes and symbolic links that git is told not to trust',
    fullOnly: true,
    make(ground) {
      const root = repository(ground, { ...ADDER, link: { to: 'src' } });
      git(ground, root, 'config', 'core.fileMode', 'false');
      git(ground, root, 'config', 'core.symlinks', 'false');
      chmodSync(join(root, 'package.json'), 0o755);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'empty folders',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      for (const path of ['empty', 'src/deep/deeper/empty']) mkdirSync(join(root, path), { recursive: true });
      return { cwd: root, expected: REPAIRED };
    },
  },
];
