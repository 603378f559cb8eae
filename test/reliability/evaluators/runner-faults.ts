import type { Expected, Fault } from './fault.ts';

const FAILED: Expected = { exitCode: 1, status: 'fail', detail: /./, withinSeconds: 60 };
const TIMED_OUT: Expected = {
  exitCode: 1,
  status: 'fail',
  detail: /Not finished within 4000 ms/,
  withinSeconds: 60,
};

/** A fault in a test file with this body. The file cannot use execa, because the repository has no dependencies. */
function test(name: string, body: string, expected: Expected = FAILED, timeoutSeconds = 30): Fault {
  const head = "import { test } from 'node:test';\nimport { spawn } from 'node:child_process';\n";
  return { name, files: { 'test/fault.test.js': `${head}${body}\n` }, expected, timeoutSeconds };
}

function inFull(fault: Fault): Fault {
  return { ...fault, fullOnly: true };
}

/** Tests that disturb `node --test`. */
export const RUNNER_FAULTS: readonly Fault[] = [
  inFull(
    test(
      'a test that never ends',
      "test('never', () => new Promise(() => setInterval(() => {}, 1000)));",
      TIMED_OUT,
      4,
    ),
  ),
  test('a test that never yields', "test('never', () => { for (;;); });", TIMED_OUT, 4),
  inFull(test('exit code 1 from a test', "test('leaves', () => process.exit(1));")),
  inFull(test('exit code 1 while loading', 'process.exit(1);')),
  test('SIGKILL from a test', "test('dies', () => process.kill(process.pid, 'SIGKILL'));"),
  test('SIGKILL for the runner', "test('kills', () => process.kill(process.ppid, 'SIGKILL'));"),
  inFull(test('an abort', "test('aborts', () => process.abort());")),
  inFull(
    test(
      'an error after the end of the test',
      "test('late', () => { setTimeout(() => { throw new Error('late'); }, 50); });",
    ),
  ),
  inFull(test('unlimited recursion', "test('deep', () => { const f = () => f() + 1; f(); });")),
  {
    ...test(
      'more memory than the limit',
      "test('all', () => { const kept = []; for (;;) kept.push(new Array(1e5).fill({})); });",
    ),
    script: 'node --max-old-space-size=64 --test',
    timeoutSeconds: 60,
  },
  test(
    'a child that survives and keeps the output open',
    "test('leaves a child', () => { spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' }).unref(); throw new Error('red'); });",
    FAILED,
    6,
  ),
  test(
    'a test that prints 100 MB',
    "test('prints', () => { for (let i = 0; i < 2000; i++) console.log('x'.repeat(50_000)); throw new Error('red'); });",
    FAILED,
    60,
  ),
  inFull(
    test('a message of 50 MB', "test('long', () => { throw new Error('y'.repeat(5e7)); });", FAILED, 60),
  ),
  inFull(
    test(
      'five thousand tests',
      "for (let i = 0; i < 5_000; i++) test(`t${i}`, () => {});\ntest('red', () => { throw new Error('red'); });",
      FAILED,
      60,
    ),
  ),
];
