import type { Expected, Fault } from './fault.ts';

const RED: Expected = { exitCode: 1, status: 'fail', detail: /./, withinSeconds: 60 };
const TOO_LATE: Expected = {
  exitCode: 1,
  status: 'fail',
  detail: /Not finished within 4000 ms/,
  withinSeconds: 60,
};

/** A test file with `body`, for the repository's own runner. Its text runs in a repository without execa. */
function test(name: string, body: string, expected: Expected = RED, timeoutSeconds = 30): Fault {
  const head = "import { test } from 'node:test';\nimport { spawn } from 'node:child_process';\n";
  return { name, files: { 'test/fault.test.js': `${head}${body}\n` }, expected, timeoutSeconds };
}

function inFull(fault: Fault): Fault {
  return { ...fault, fullOnly: true };
}

/** What the tested code can do to `node --test`. */
export const RUNNER_FAULTS: readonly Fault[] = [
  inFull(
    test(
      'a test that never ends',
      "test('never', () => new Promise(() => setInterval(() => {}, 1000)));",
      TOO_LATE,
      4,
    ),
  ),
  test('a test that never yields', "test('never', () => { for (;;); });", TOO_LATE, 4),
  inFull(test('exit code 1 from a test', "test('leaves', () => process.exit(1));")),
  inFull(test('exit code 1 while loading', 'process.exit(1);')),
  test('SIGKILL from a test', "test('dies', () => process.kill(process.pid, 'SIGKILL'));"),
  test('SIGKILL for the runner', "test('kills', () => process.kill(process.ppid, 'SIGKILL'));"),
  inFull(test('an abort', "test('aborts', () => process.abort());")),
  inFull(
    test(
      'an error after the end',
      "test('late', () => { setTimeout(() => { throw new Error('late'); }, 50); });",
    ),
  ),
  inFull(test('recursion without end', "test('deep', () => { const f = () => f() + 1; f(); });")),
  {
    ...test(
      'more memory than there may be',
      "test('all', () => { const kept = []; for (;;) kept.push(new Array(1e5).fill({})); });",
    ),
    ...{ script: 'node --max-old-space-size=64 --test', timeoutSeconds: 60 },
  },
  test(
    'a child that lives on, and holds the output',
    "test('leaves a child', () => { spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' }).unref(); throw new Error('red'); });",
    ...[RED, 6],
  ),
  test(
    'a flood from a test',
    "test('prints', () => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(50_000)); throw new Error('red'); });",
    RED,
    60,
  ),
  inFull(test('a message of 50 MB', "test('long', () => { throw new Error('y'.repeat(5e7)); });", RED, 60)),
  inFull(
    test(
      'five thousand tests',
      "for (let i = 0; i < 5_000; i++) test(`t${i}`, () => {});\ntest('red', () => { throw new Error('red'); });",
      RED,
      60,
    ),
  ),
];
