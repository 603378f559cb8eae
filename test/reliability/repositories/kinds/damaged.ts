/** Damaged and locked repositories, and full file systems. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, git, repository, run, write, type Testbed } from '../testbed.ts';
import { Unsupported, REPAIRED, type Kind } from '../kind.ts';

function objectFile(testbed: Testbed, root: string, name: string): string {
  const id = git(testbed, root, 'rev-parse', name).trim();
  return join(root, '.git', 'objects', id.slice(0, 2), id.slice(2));
}

/** Words that run a program in a mount namespace of its own, after a script. Throws `Unsupported` without the right to mount. */
function mounted(testbed: Testbed, script: string): string[] {
  const words = ['unshare', '--mount', 'sh', '-c', `${script} && exec "$@"`, 'sh'];
  try {
    run(testbed, testbed.place, words[0]!, ...words.slice(1), 'true');
  } catch {
    throw new Unsupported('needs the right to mount');
  }
  return words;
}

export const DAMAGED: readonly Kind[] = [
  {
    name: "HEAD's commit is missing",
    make(testbed) {
      const root = repository(testbed);
      rmSync(objectFile(testbed, root, 'HEAD'));
      return { cwd: root, expected: { exitCode: 4, messages: [/commit that cannot be read/, /git fsck/] } };
    },
  },
  {
    name: "HEAD's commit is corrupt",
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const file = objectFile(testbed, root, 'HEAD');
      rmSync(file);
      writeFileSync(file, 'nonsense');
      return {
        cwd: root,
        expected: { exitCode: 4, messages: [/commit that cannot be read|corrupt/, /git fsck/] },
      };
    },
  },
  {
    name: 'HEAD is empty',
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'HEAD'), '');
      return { cwd: root, expected: { exitCode: 4, messages: [/not in a git repository|HEAD/, /git /] } };
    },
  },
  {
    name: 'the index is corrupt',
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'index'), 'nonsense');
      return { cwd: root, expected: { exitCode: 4, messages: [/index/, /git reset/] } };
    },
  },
  {
    name: 'the index is empty',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'index'), '');
      return { cwd: root, expected: { exitCode: 4, messages: [/index/, /git reset/] } };
    },
  },
  {
    name: 'there is no index',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      rmSync(join(root, '.git', 'index'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: "a file's object is corrupt",
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const file = objectFile(testbed, root, 'HEAD:src/add.js');
      rmSync(file);
      writeFileSync(file, 'nonsense');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: "a folder's object is missing",
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      rmSync(objectFile(testbed, root, 'HEAD:src'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a locked index',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'index.lock'), '');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a locked index, with --commit',
    make(testbed) {
      const root = repository(testbed);
      writeFileSync(join(root, '.git', 'index.lock'), '');
      const messages = [/not committed/, /index\.lock/];
      const args = ['--command', "sed -i 's/a - b/a + b/' src/add.js", '--commit'];
      return { cwd: root, args, expected: { ...REPAIRED, messages } };
    },
  },
  {
    name: '.aiwg is a file',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, '.aiwg': 'mine\n' });
      return { cwd: root, expected: { exitCode: 4, messages: [/\.aiwg/, /folder/] } };
    },
  },
  {
    name: '.aiwg is a symbolic link',
    make(testbed) {
      const root = repository(testbed);
      mkdirSync(join(testbed.place, 'elsewhere'));
      symlinkSync(join(testbed.place, 'elsewhere'), join(root, '.aiwg'));
      return { cwd: root, expected: { exitCode: 4, messages: [/symbolic link/, /real folder/] } };
    },
  },
  {
    name: 'a read-only file system',
    make(testbed) {
      const root = repository(testbed);
      const script = `mount --bind ${root} ${root} && mount -o remount,ro,bind ${root} && cd ${root}`;
      const expected = {
        exitCode: 4,
        messages: [/\.aiwg/, /Check that it is a folder, and its permissions/],
      };
      return { cwd: root, prefix: mounted(testbed, script), expected };
    },
  },
  {
    name: 'no space for the state of ralph',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'large.bin': noise(400_000) });
      const state = join(root, '.aiwg');
      mkdirSync(state);
      const script = `mount -t tmpfs -o size=200k none ${state}`;
      const expected = { exitCode: 4, messages: [/No space left|ENOSPC/i, /free.*space/i] };
      return { cwd: root, prefix: mounted(testbed, script), expected };
    },
  },
  {
    name: 'no space for the workspace',
    make(testbed) {
      const root = repository(testbed, { ...ADDER, 'large.bin': noise(400_000) });
      const script = `mount -t tmpfs -o size=200k none ${testbed.temporary}`;
      const expected = { exitCode: 4, messages: [/0 MiB are free/, /free.*space/i] };
      return { cwd: root, prefix: mounted(testbed, script), expected };
    },
  },
  {
    name: 'no space for the result',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      const source = join(root, 'src');
      const script = `cp -a ${source} ${testbed.home}/ && mount -t tmpfs -o size=16k none ${source} && cp -a ${testbed.home}/src/. ${source}`;
      const actor =
        "sed -i 's/a - b/a + b/' src/add.js; head -c 40000 /dev/zero | tr '\\0' ' ' >> src/add.js";
      const expected = { exitCode: 4, messages: [/could not be written/, /Every change was undone/] };
      return { cwd: root, actor, prefix: mounted(testbed, script), expected };
    },
  },
  {
    name: 'a shared clone whose origin is gone',
    make(testbed) {
      const lender = repository(testbed, ADDER, 'lender');
      const root = join(testbed.place, 'project');
      git(testbed, testbed.place, 'clone', '--quiet', '--shared', lender, root);
      rmSync(join(lender, '.git'), { recursive: true });
      return { cwd: root, expected: { exitCode: 4, messages: [/commit that cannot be read/, /git fsck/] } };
    },
  },
  {
    name: 'another branch that points to a missing commit',
    fullOnly: true,
    make(testbed) {
      const root = repository(testbed);
      commit(testbed, root, 'second');
      writeFileSync(join(root, '.git', 'refs', 'heads', 'broken'), `${'1'.repeat(40)}\n`);
      write(root, { '.git/refs/heads/nonsense': 'nonsense\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
];

/** Reproducible bytes that do not compress. */
function noise(length: number): Buffer {
  const count = Math.ceil(length / 64);
  const pieces = Array.from({ length: count }, (_, at) => createHash('sha512').update(`${at}`).digest());
  return Buffer.concat(pieces);
}
