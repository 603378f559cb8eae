/**
 * Measures ralph with much data: `node bench/scale.ts`, after `npm run build`. Each row is one run: wall time, CPU time of ralph
 * and the programs that it has waited for, and its largest memory. CPU time is the figure to compare on a busy machine.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { RALPH } from './measure.ts';

const FILES = 30_000;
const REFLECTIONS = 10_000;
const OUTPUT = `head -c 500000000 /dev/zero | tr '\\0' x | fold -w 200`;

const folder = mkdtempSync(join(tmpdir(), 'ralph-scale-'));
try {
  const small = repository('small', 0);
  measure(`500 MB of output from an actor`, small, ['run', '--command', OUTPUT, '-i', '1']);
  fillReflections(small);
  for (const words of ['reflections list', 'reflections validate', 'analyze'])
    measure(`${words}, ${REFLECTIONS} reflections`, small, words.split(' '));
  const large = repository('large', FILES);
  for (const which of ['first', 'second'])
    measure(`${which} run, ${FILES} files`, large, ['run', '--command', 'true', '-i', '1']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(what: string, cwd: string, args: readonly string[]): void {
  const format = '%e s wall, %U s user, %S s system, %M KiB';
  const call = ['-q', '-f', format, process.execPath, RALPH, ...args];
  const { stderr } = execaSync('/usr/bin/time', call, { cwd, reject: false, stdout: 'ignore' });
  process.stdout.write(`${what.padEnd(45)} ${stderr.split('\n').at(-1)}\n`);
}

/** A repository with one failing test and `files` modules that nothing imports. */
function repository(name: string, files: number): string {
  const root = join(folder, name);
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  mkdirSync(root);
  write('package.json', '{ "name": "scale", "type": "module", "scripts": { "test": "node --test" } }\n');
  write('add.js', 'export const add = (a, b) => a - b;\n');
  write(
    'add.test.js',
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  );
  for (let at = 0; at < files; at++) {
    if (at % 100 === 0) mkdirSync(join(root, `modules/${at / 100}`), { recursive: true });
    write(`modules/${Math.floor(at / 100)}/${at}.js`, `export const value = ${at};\n`);
  }
  const git = (...args: string[]): unknown => execaSync('git', args, { cwd: root });
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--message=start');
  return root;
}

/** Copies the reflection of the repository's only loop. */
function fillReflections(root: string): void {
  const base = join(root, '.aiwg/ralph/reflections');
  const [loop] = readdirSync(base) as [string];
  const text = readFileSync(join(base, loop, '001.json'), 'utf8');
  for (let at = 0; at < REFLECTIONS; at++) {
    const copy = `ralph-copy-20260101-${String(at).padStart(6, '0')}`;
    mkdirSync(join(base, copy));
    writeFileSync(join(base, copy, '001.json'), text.replaceAll(loop, copy));
  }
}
