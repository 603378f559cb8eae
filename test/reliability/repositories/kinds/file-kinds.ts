/** Links, special files, and files with unusual permissions. */
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ADDER, BUGGY, commit, git, repository, run, testOf, write, type Testbed } from '../testbed.ts';
import { HONEST_FIX, Unsupported, REPAIRED, type Kind } from '../kind.ts';

const NOBODY = 65_534;
/** An id that the list of users does not have, as in `docker run --user 54321`. */
const NAMELESS = 54_321;

/** Gives the testbed to an unprivileged user and returns the words that run a program as that user. */
function asUser(testbed: Testbed, id: number): string[] {
  if (process.getuid?.() !== 0) throw new Unsupported('another user: needs root');
  const base = join(testbed.place, '..');
  for (const folder of [base, ...readdirSync(base).map((name) => join(base, name))])
    chownSync(folder, id, id);
  run(testbed, base, 'chown', '-hR', `${id}:${id}`, base);
  return ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
}

export const FILE_KINDS: readonly Kind[] = [
  {
    name: 'symbolic links in a cycle, to a missing file, to themselves',
    make(testbed) {
      const links = {
        one: { to: 'two' },
        two: { to: 'one' },
        self: { to: 'self' },
        gone: { to: 'no/where' },
      };
      return {
        cwd: repository(testbed, { ...ADDER, ...links, 'src/up': { to: '../src' } }),
        expected: REPAIRED,
      };
    },
  },
  {
    name: 'absolute symbolic links out of the repository and within it',
    make(testbed) {
      const outside = join(testbed.place, 'outside');
      write(outside, { 'file.txt': 'outside\n' });
      const root = join(testbed.place, 'project');
      const links = {
        out: { to: outside },
        'out.txt': { to: join(outside, 'file.txt') },
        in: { to: join(root, 'src') },
      };
      return { cwd: repository(testbed, { ...ADDER, ...links, etc: { to: '/etc' } }), expected: REPAIRED };
    },
  },
  {
    name: 'the source is a symbolic link to the file with the bug',
    fullOnly: true,
    make(testbed) {
      const files = { ...ADDER, 'src/add.js': { to: '../lib/real.js' }, 'lib/real.js': BUGGY };
      const actor = "sed -i 's/a - b/a + b/' lib/real.js";
      return { cwd: repository(testbed, files), actor, expected: { repaired: ['project/lib/real.js'] } };
    },
  },
  {
    name: 'the source is reached through a symbolic link to its folder',
    fullOnly: true,
    make(testbed) {
      const files = { 'package.json': ADDER['package.json']!, 'lib/add.js': BUGGY, src: { to: 'lib' } };
      const root = repository(testbed, { ...files, 'test/add.test.js': testOf('../src/add.js') });
      return { cwd: root, expected: { repaired: ['project/lib/add.js'] } };
    },
  },
  {
    name: 'a symbolic link instead of a tracked folder',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'docs/one.txt': '1\n' });
      write(testbed.place, { 'outside/one.txt': 'outside\n' });
      run(testbed, root, 'rm', '-r', 'docs');
      symlinkSync('../outside', join(root, 'docs'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a FIFO',
    make(testbed) {
      const root = repository(testbed);
      run(testbed, root, 'mkfifo', 'pipe', 'src/pipe');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a FIFO instead of a tracked file',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'notes.txt': 'notes\n' });
      run(testbed, root, 'sh', '-c', 'rm notes.txt && mkfifo notes.txt');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a socket',
    fullOnly: true,
    async make(testbed) {
      const root = repository(testbed);
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
      return { cwd: root, expected: REPAIRED, cleanUp: () => server.close() };
    },
  },
  {
    name: 'a device',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      try {
        run(testbed, root, 'mknod', 'zero', 'c', '1', '5');
      } catch {
        throw new Unsupported('a device: needs the right to make one');
      }
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a user without a name',
    make(testbed) {
      const root = repository(testbed);
      return { cwd: root, prefix: asUser(testbed, NAMELESS), expected: REPAIRED };
    },
  },
  {
    name: 'unreadable files and folders',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'tracked.txt': 'secret\n' });
      write(root, { 'untracked.txt': 'secret\n', 'closed/inner.txt': 'secret\n' });
      const prefix = asUser(testbed, NOBODY);
      for (const path of ['tracked.txt', 'untracked.txt', 'closed']) chmodSync(join(root, path), 0);
      return { cwd: root, prefix, expected: { ...REPAIRED, messages: [/does not contain .*tracked\.txt/] } };
    },
  },
  {
    name: 'the source is in a read-only folder',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const prefix = asUser(testbed, NOBODY);
      chmodSync(join(root, 'src'), 0o555);
      const expected = { exitCode: 4, messages: [/could not be written/, /permission/] };
      return { cwd: root, prefix, expected };
    },
  },
  {
    name: 'the second of two files is in a read-only folder',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'zone/notes.txt': 'notes\n' });
      const prefix = asUser(testbed, NOBODY);
      chmodSync(join(root, 'zone'), 0o555);
      const expected = { exitCode: 4, messages: [/could not be written/, /Every change was undone/] };
      return { cwd: root, actor: `${HONEST_FIX}; echo more >> zone/notes.txt`, prefix, expected };
    },
  },
  {
    name: 'another folder is read-only',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'docs/one.txt': '1\n' });
      const prefix = asUser(testbed, NOBODY);
      chmodSync(join(root, 'docs'), 0o555);
      return { cwd: root, prefix, expected: REPAIRED };
    },
  },
  {
    name: 'a read-only file with the bug, and files with unusual modes',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'private.txt': 'mine\n', 'script.sh': '#!/bin/sh\n' });
      for (const [path, mode] of [
        ['src/add.js', 0o444],
        ['private.txt', 0o600],
        ['script.sh', 0o711],
      ] as const) {
        chmodSync(join(root, path), mode);
      }
      commit(testbed, root, 'modes');
      return { cwd: root, prefix: asUser(testbed, NOBODY), expected: REPAIRED };
    },
  },
  {
    name: 'the bug is in an executable file',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      chmodSync(join(root, 'src', 'add.js'), 0o750);
      commit(testbed, root, 'a program');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'core.fileMode and core.symlinks are false',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed, { ...ADDER, link: { to: 'src' } });
      git(testbed, root, 'config', 'core.fileMode', 'false');
      git(testbed, root, 'config', 'core.symlinks', 'false');
      chmodSync(join(root, 'package.json'), 0o755);
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'empty folders',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      for (const path of ['empty', 'src/deep/deeper/empty']) mkdirSync(join(root, path), { recursive: true });
      return { cwd: root, expected: REPAIRED };
    },
  },
];
