/**
 * Measures ralph with much data: `node bench/scale.ts [PART…]`, after `npm run build`; the parts are output, reflections, files,
 * attempts, tests and lines. Each row is one run: wall time, CPU time of ralph and the programs that it has waited for, and its
 * largest memory. Beside it stands what the repository's own tests take. CPU time is the figure to compare on a busy machine.
 */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { median, RALPH } from './measure.ts';

const FILES = 30_000;
const REFLECTIONS = 10_000;
const ATTEMPTS = 200;
/** Attempts on each side of one, whose median is compared. */
const SIDE = 5;
const OUTPUT = `head -c 500000000 /dev/zero | tr '\\0' x | fold -w 200`;
const NOTHING = ['run', '--command', 'true', '-i', '1'];
const REPAIR = ['run', '--command', "sed -i 's/a - b/a + b/' add.js", '-i', '1'];

const PARTS: Readonly<Record<string, () => void | Promise<void>>> = {
  output: () =>
    measure('500 MB of output from an actor', repository('output'), ['run', '--command', OUTPUT, '-i', '1']),
  reflections,
  files,
  attempts,
  tests,
  lines,
};

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'ralph-scale-'));
try {
  for (const name of asked.length === 0 ? Object.keys(PARTS) : asked) await PARTS[name]!();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function reflections(): void {
  const root = repository('reflections');
  measure('a run before', root, NOTHING);
  copyReflection(root);
  for (const words of ['reflections list', 'reflections validate', 'analyze'])
    measure(`${words}, ${REFLECTIONS} reflections`, root, words.split(' '));
  measure(`reflections export, ${REFLECTIONS} reflections`, root, [
    'reflections',
    'export',
    join(root, 'out'),
  ]);
}

/** With tests that are named, and with tests that the runner looks for in all files, which takes its time in each run. */
function files(): void {
  for (const test of ['node --test add.test.js', 'node --test']) {
    const root = repository(test.replaceAll(' ', '-'), { test });
    for (let at = 0; at < FILES; at++) {
      if (at % 100 === 0) mkdirSync(join(root, `modules/${at / 100}`), { recursive: true });
      writeFileSync(join(root, `modules/${Math.floor(at / 100)}/${at}.js`), `export const value = ${at};\n`);
    }
    commit(root);
    process.stdout.write(`${FILES} files, tests by: ${test}\n`);
    measureOwn(root);
    for (const which of ['first', 'second', 'third']) measure(`  ${which} run`, root, NOTHING);
    measure('  evaluate', root, ['evaluate']);
    measure('  run that repairs', root, REPAIR);
    commit(root);
    measure('  run on green tests', root, ['run']);
  }
}

/** CPU time from one attempt to the next, with an actor that makes another mistake each time. */
async function attempts(): Promise<void> {
  const root = repository('attempts');
  const edit = 'echo "add.js:$RALPH_ITERATION: error $RALPH_ITERATION" > errors.txt';
  const loop = ['run', 'make it', '--check', 'tests=cat errors.txt; false', '--command', edit];
  const args = [RALPH, ...loop, '-i', `${ATTEMPTS}`, '--format', 'jsonl', '--quiet'];
  const child = execa(process.execPath, args, { cwd: root, reject: false, stderr: 'ignore' });
  const used: number[] = [];
  for await (const line of child)
    if (line.includes('"type":"reflection_written"')) used.push(cpuMs(child.pid!));
  const costs = used.slice(1).map((ms, at) => ms - used[at]!);
  const before = (attempt: number): number => median(costs.slice(Math.max(0, attempt - 2 * SIDE), attempt));
  const [early, late] = [before(10 + SIDE), before(costs.length)];
  process.stdout.write(
    `${used.length} attempts: ${early} ms of CPU around the 10th, ${late} ms at the last, ${(late / early).toFixed(2)} times\n`,
  );
}

/** CPU time of a process and of those that it has waited for; fields 14 to 17 of proc_pid_stat(5), of 10 ms each. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

/** 20,001 tests, of which one fails: what the offline actor takes to repair it. */
function tests(): void {
  const root = repository('tests', { test: 'node --test' });
  for (let file = 0; file < 20; file++)
    writeFileSync(
      join(root, `many${file}.test.js`),
      `import assert from 'node:assert';\nimport { test } from 'node:test';\nfor (let at = 0; at < 1000; at++) test('is itself ' + at, () => assert.equal(at, at));\n`,
    );
  commit(root);
  process.stdout.write('20,001 tests\n');
  measureOwn(root);
  measure('  search', root, ['run', '--actor', 'search', '-i', '1']);
}

/** A source of 20,000 lines, of which one is wrong. */
function lines(): void {
  const root = repository('lines');
  const more = Array.from(
    { length: 5_000 },
    (_, at) => `\nexport function times${at}(a) {\n  return a * ${at};\n}\n`,
  );
  appendFileSync(join(root, 'add.js'), more.join(''));
  commit(root);
  process.stdout.write('a source of 20,000 lines\n');
  measureOwn(root);
  measure('  search', root, ['run', '--actor', 'search', '-i', '1']);
}

function measure(what: string, cwd: string, args: readonly string[]): void {
  timed(what, cwd, [process.execPath, RALPH, ...args]);
}

function measureOwn(cwd: string): void {
  timed('  npm test alone', cwd, ['npm', 'test']);
}

function timed(what: string, cwd: string, command: readonly string[]): void {
  const format = '%e s wall, %U s user, %S s system, %M KiB, exit code %x';
  const env = { TMPDIR: folder };
  const options = { cwd, env, reject: false, stdout: 'ignore' } as const;
  const { stderr } = execaSync('/usr/bin/time', ['-q', '-f', format, ...command], options);
  process.stdout.write(`${what.padEnd(45)} ${stderr.split('\n').at(-1)}\n`);
}

/** A repository with one source and one failing test. */
function repository(name: string, { test = 'node --test' }: { readonly test?: string } = {}): string {
  const root = join(folder, name);
  const write = (path: string, text: string): void => writeFileSync(join(root, path), text);
  mkdirSync(root);
  write('package.json', `{ "name": "scale", "type": "module", "scripts": { "test": "${test}" } }\n`);
  write('add.js', 'export const add = (a, b) => a - b;\n');
  write(
    'add.test.js',
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { add } from './add.js';\ntest('adds', () => assert.equal(add(2, 3), 5));\n",
  );
  execaSync('git', ['init', '--quiet'], { cwd: root });
  commit(root);
  return root;
}

function commit(root: string): void {
  const git = (...args: string[]): unknown => execaSync('git', args, { cwd: root });
  git('add', '--all', '.', ':!.aiwg');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '--message=state');
}

/** Copies the reflection of the repository's only loop. */
function copyReflection(root: string): void {
  const base = join(root, '.aiwg/ralph/reflections');
  const [loop] = readdirSync(base) as [string];
  const text = readFileSync(join(base, loop, '001.json'), 'utf8');
  for (let at = 0; at < REFLECTIONS; at++) {
    const copy = `ralph-copy-20260101-${String(at).padStart(6, '0')}`;
    mkdirSync(join(base, copy));
    writeFileSync(join(base, copy, '001.json'), text.replaceAll(loop, copy));
  }
}
