/** Repositories with something broken, locked or full. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDER, commit, git, repository, run, write, type Ground } from '../ground.ts';
import { NotHere, REPAIRED, type Kind } from '../kind.ts';

function objectFile(ground: Ground, root: string, name: string): string {
  const id = git(ground, root, 'rev-parse', name).trim();
  return join(root, '.git', 'objects', id.slice(0, 2), id.slice(2));
}

/** A command line in which a mount of its own stands before the program. */
function mounted(ground: Ground, script: string): string[] {
  const words = ['unshare', '--mount', 'sh', '-c', `${script} && exec "$@"`, 'sh'];
  try {
    run(ground, ground.place, words[0]!, ...words.slice(1), 'true');
  } catch {
    throw new NotHere('a file system of its own: needs the right to mount');
  }
  return words;
}

export const DAMAGED: readonly Kind[] = [
  {
    name: "HEAD's commit is missing",
    make(ground) {
      const root = repository(ground);
      rmSync(objectFile(ground, root, 'HEAD'));
      return { cwd: root, expected: { exitCode: 4, says: [/commit that cannot be read/, /git fsck/] } };
    },
  },
  {
    name: "HEAD's commit is corrupt",
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const file = objectFile(ground, root, 'HEAD');
      rmSync(file);
      writeFileSync(file, 'nonsense');
      return {
        cwd: root,
        expected: { exitCode: 4, says: [/commit that cannot be read|corrupt/, /git fsck/] },
      };
    },
  },
  {
    name: 'HEAD is empty',
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'HEAD'), '');
      return { cwd: root, expected: { exitCode: 4, says: [/not in a git repository|HEAD/, /git /] } };
    },
  },
  {
    name: 'the index is corrupt',
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'index'), 'nonsense');
      return { cwd: root, expected: { exitCode: 4, says: [/index/, /git reset/] } };
    },
  },
  {
    name: 'the index is empty',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'index'), '');
      return { cwd: root, expected: { exitCode: 4, says: [/index/, /git reset/] } };
    },
  },
  {
    name: 'there is no index',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      rmSync(join(root, '.git', 'index'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: "a file's object is corrupt",
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const file = objectFile(ground, root, 'HEAD:src/add.js');
      rmSync(file);
      writeFileSync(file, 'nonsense');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: "a folder's object is missing",
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      rmSync(objectFile(ground, root, 'HEAD:src'));
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a locked index',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'index.lock'), '');
      return { cwd: root, expected: REPAIRED };
    },
  },
  {
    name: 'a locked index, and a commit is asked for',
    make(ground) {
      const root = repository(ground);
      writeFileSync(join(root, '.git', 'index.lock'), '');
      const says = [/not committed/, /index\.lock/];
      const args = ['--command', "sed -i 's/a - b/a + b/' src/add.js", '--commit'];
      return { cwd: root, args, expected: { ...REPAIRED, says } };
    },
  },
  {
    name: '.aiwg is a file of the user',
    make(ground) {
      const root = repository(ground, { ...ADDER, '.aiwg': 'mine\n' });
      return { cwd: root, expected: { exitCode: 4, says: [/\.aiwg/, /folder/] } };
    },
  },
  {
    name: '.aiwg is a symbolic link that leads elsewhere',
    make(ground) {
      const root = repository(ground);
      mkdirSync(join(ground.place, 'elsewhere'));
      symlinkSync(join(ground.place, 'elsewhere'), join(root, '.aiwg'));
      return { cwd: root, expected: { exitCode: 4, says: [/symbolic link/, /real folder/] } };
    },
  },
  {
    name: 'a read-only file system',
    make(ground) {
      const root = repository(ground);
      const script = `mount --bind ${root} ${root} && mount -o remount,ro,bind ${root} && cd ${root}`;
      const expected = { exitCode: 4, says: [/\.aiwg/, /who may write there/] };
      return { cwd: root, through: mounted(ground, script), expected };
    },
  },
  {
    name: 'no space for the state',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'large.bin': noise(400_000) });
      const state = join(root, '.aiwg');
      mkdirSync(state);
      const script = `mount -t tmpfs -o size=200k none ${state}`;
      const expected = { exitCode: 4, says: [/No space left|ENOSPC/i, /free.*space/i] };
      return { cwd: root, through: mounted(ground, script), expected };
    },
  },
  {
    name: 'no space for the workspace',
    make(ground) {
      const root = repository(ground, { ...ADDER, 'large.bin': noise(400_000) });
      const script = `mount -t tmpfs -o size=200k none ${ground.temporary}`;
      const expected = { exitCode: 4, says: [/0 MiB are free/, /free.*space/i] };
      return { cwd: root, through: mounted(ground, script), expected };
    },
  },
  {
    name: 'no space for the result',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      const source = join(root, 'src');
      const script = `cp -a ${source} ${ground.home}/ && mount -t tmpfs -o size=16k none ${source} && cp -a ${ground.home}/src/. ${source}`;
      const actor =
        "sed -i 's/a - b/a + b/' src/add.js; head -c 40000 /dev/zero | tr '\\0' ' ' >> src/add.js";
      const expected = { exitCode: 4, says: [/could not be written/, /taken back/] };
      return { cwd: root, actor, through: mounted(ground, script), expected };
    },
  },
  {
    name: 'the object store that it borrows from is gone',
    make(ground) {
      const lender = repository(ground, ADDER, 'lender');
      const root = join(ground.place, 'project');
      git(ground, ground.place, 'clone', '--quiet', '--shared', lender, root);
      rmSync(join(lender, '.git'), { recursive: true });
      return { cwd: root, expected: { exitCode: 4, says: [/commit that cannot be read/, /git fsck/] } };
    },
  },
  {
    name: 'a ref that leads nowhere beside the branch',
    fullOnly: true,
    make(ground) {
      const root = repository(ground);
      commit(ground, root, 'second');
      writeFileSync(join(root, '.git', 'refs', 'heads', 'broken'), `${'1'.repeat(40)}\n`);
      write(root, { '.git/refs/heads/nonsense': 'nonsense\n' });
      return { cwd: root, expected: REPAIRED };
    },
  },
];

/** Bytes that do not compress, the same each time. */
function noise(length: number): Buffer {
  const count = Math.ceil(length / 64);
  const pieces = Array.from({ length: count }, (_, at) => createHash('sha512').update(`${at}`).digest());
  return Buffer.concat(pieces);
}
