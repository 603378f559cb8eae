import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { floods } from './floods.ts';
import type { Expected, Fault } from './fault.ts';
import { RUNNER_FAULTS } from './runner-faults.ts';

const TIMED_OUT: Expected = { exitCode: 1, status: 'fail', detail: /Not finished within 2000 ms/ };
const PASSED: Expected = { exitCode: 0, status: 'pass', detail: /Exit code 0/, withinSeconds: 15 };
const FAILED: Expected = { exitCode: 1, status: 'fail', detail: /Exit code 1/, withinSeconds: 15 };
const UNRUNNABLE = { exitCode: 6, status: 'error' } as const;

const HANGS: readonly Fault[] = [
  {
    name: 'hangs',
    command: 'echo begun; sleep 1000',
    timeoutSeconds: 2,
    expected: { ...TIMED_OUT, output: [/begun/] },
  },
  {
    name: 'hangs and ignores TERM, INT and HUP',
    command: "trap '' TERM INT HUP; echo begun; while :; do sleep 0.05; done",
    timeoutSeconds: 2,
    expected: { ...TIMED_OUT, output: [/begun/] },
  },
  {
    name: 'hangs in a loop',
    fullOnly: true,
    command: 'while :; do :; done',
    timeoutSeconds: 2,
    expected: TIMED_OUT,
  },
  {
    name: 'hangs after it closed its output',
    fullOnly: true,
    command: 'exec >&- 2>&-; sleep 1000',
    timeoutSeconds: 2,
    expected: TIMED_OUT,
  },
  { name: 'stops itself', command: 'kill -STOP $$', timeoutSeconds: 2, expected: TIMED_OUT },
  {
    name: 'prints without end',
    command: 'yes no end',
    timeoutSeconds: 2,
    expected: { ...TIMED_OUT, output: [/no end/] },
  },
  {
    name: 'waits for input',
    fullOnly: true,
    command: 'cat; read line; echo "got: $line"',
    expected: { ...PASSED, output: [/got:\s*$/] },
  },
];

/** Children that outlive the check and keep its output open. */
const CHILDREN: readonly Fault[] = [
  {
    name: 'a child keeps the output open, the check passes',
    command: 'sleep 1000 & exit 0',
    expected: PASSED,
  },
  {
    name: 'a child keeps the output open, the check fails',
    fullOnly: true,
    command: 'sleep 1000 & exit 1',
    expected: FAILED,
  },
  {
    name: 'a child in its own session keeps the output open',
    command: 'setsid sleep 1000 & exit 0',
    expected: PASSED,
  },
  {
    name: 'a grandchild that ignores TERM keeps the output open',
    command: `sh -c "trap '' TERM HUP; (sleep 1000; sleep 1000) & exit 0"; exit 1`,
    expected: FAILED,
  },
  {
    name: 'a child continues to print',
    command: 'yes more & sleep 0.2; exit 0',
    expected: { ...PASSED, output: [/more/] },
  },
  {
    name: 'nohup, and the check hangs',
    fullOnly: true,
    command: 'nohup sleep 1000 & sleep 1000',
    timeoutSeconds: 2,
    expected: TIMED_OUT,
  },
  {
    name: 'a hundred processes that ignore TERM',
    command: 'sh fault.sh 6',
    files: {
      'fault.sh':
        "trap '' TERM HUP\n[ $1 = 0 ] || { sh fault.sh $(($1 - 1)) & sh fault.sh $(($1 - 1)) & }\nsleep 1000\n",
    },
    timeoutSeconds: 4,
    expected: { exitCode: 1, status: 'fail', detail: /Not finished within 4000 ms/ },
  },
  {
    name: 'a chain of processes, each started by the one before',
    command: 'setsid sh fault.sh 400 & sleep 1000',
    files: { 'fault.sh': "trap '' TERM HUP\n[ $1 = 0 ] || setsid sh fault.sh $(($1 - 1)) &\nsleep 0.02\n" },
    timeoutSeconds: 2,
    expected: TIMED_OUT,
  },
];

const ENDS: readonly Fault[] = [
  { name: 'dies by SIGKILL', command: 'kill -KILL $$', expected: { ...FAILED, detail: /SIGKILL/ } },
  {
    name: 'dies by SIGSEGV',
    fullOnly: true,
    command: 'kill -SEGV $$',
    expected: { ...FAILED, detail: /SIGSEGV/ },
  },
  {
    name: 'dies by SIGTERM of its own',
    fullOnly: true,
    command: 'kill -TERM $$',
    expected: { ...FAILED, detail: /SIGTERM/ },
  },
  {
    name: 'a program of the check was ended by a signal',
    command: 'exit 137',
    expected: { ...FAILED, detail: /SIGKILL|Exit code 137/ },
  },
  {
    name: 'does not exist: exit code 127',
    command: 'no-such-program --all',
    expected: { ...UNRUNNABLE, detail: /could not run.*127/ },
  },
  {
    name: 'is not executable: exit code 126',
    command: './package.json',
    expected: { ...UNRUNNABLE, detail: /could not run.*126/ },
  },
  {
    name: 'ends with the largest exit code',
    fullOnly: true,
    command: 'exit 255',
    expected: { ...FAILED, detail: /Exit code 255/ },
  },
  {
    name: 'exceeds its memory limit',
    command: '(ulimit -v 3000000; exec node fault.mjs)',
    files: { 'fault.mjs': 'const kept = [];\nfor (;;) kept.push(Buffer.alloc(1 << 26, 1));\n' },
    expected: { ...FAILED, detail: /Exit code|SIG/, withinSeconds: 60 },
  },
];

/** `{report}` stands for the file to which the check writes its report. */
const REPORTS: readonly Fault[] = [
  {
    name: 'its report is missing',
    fullOnly: true,
    command: ': {report}',
    expected: { ...FAILED, detail: /without its report/ },
  },
  {
    name: 'its report is empty',
    fullOnly: true,
    command: ': > {report}',
    expected: { ...FAILED, detail: /report/ },
  },
  { name: 'its report is a folder', command: 'mkdir {report}', expected: { ...FAILED, detail: /report/ } },
  { name: 'its report is a FIFO', command: 'mkfifo {report}', expected: { ...FAILED, detail: /report/ } },
  {
    name: 'its report never ends',
    command: 'ln -s /dev/zero {report}',
    expected: { ...FAILED, detail: /report/ },
  },
  {
    name: 'its report is incomplete',
    command: 'printf \'<testsuites><testsuite><testcase name="a">\' > {report}',
    expected: { ...FAILED, detail: /report|Exit code 0/ },
  },
  {
    name: 'its report passes, its exit code is 1',
    command: `cp good.xml {report}; exit 1`,
    files: { 'good.xml': junit() },
    expected: { ...FAILED, detail: /exit code 1/i },
  },
  {
    name: 'its report is 200 MB',
    fullOnly: true,
    command: "node -e \"process.stdout.write('<testsuites>'+' '.repeat(2e8)+'</testsuites>')\" > {report}",
    expected: { ...FAILED, detail: /report/ },
  },
  {
    name: 'its report is nested a million levels deep',
    fullOnly: true,
    command: 'node -e "process.stdout.write(\'<a>\'.repeat(1e6))" > {report}',
    expected: { ...FAILED, detail: /report|Exit code 0/ },
  },
];

function junit(): string {
  return '<testsuites><testsuite name="s" tests="1" failures="0"><testcase classname="s" name="a"/></testsuite></testsuites>\n';
}

/** Faults by claim. `bytes` is the size of large outputs. */
export function faultsOf(bytes: number): Readonly<Record<string, readonly Fault[]>> {
  const program = readFileSync(join(import.meta.dirname, 'print-bytes.mjs'), 'utf8');
  return {
    'checks that hang: killed in time, and failed': HANGS,
    'checks with surviving children: judged at once, no child left': CHILDREN,
    'checks that crash or do not exist': ENDS,
    'unlimited output: head and tail kept, memory bounded': floods(bytes, program),
    'invalid reports: never a pass': REPORTS,
    'tests that crash their runner: never a pass': RUNNER_FAULTS,
  };
}
