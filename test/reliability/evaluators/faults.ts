import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { floods } from './floods.ts';
import type { Expected, Fault } from './fault.ts';
import { RUNNER_FAULTS } from './runner-faults.ts';

const TOO_LATE: Expected = { exitCode: 1, status: 'fail', detail: /Not finished within 2000 ms/ };
const GREEN: Expected = { exitCode: 0, status: 'pass', detail: /Exit code 0/, withinSeconds: 15 };
const RED: Expected = { exitCode: 1, status: 'fail', detail: /Exit code 1/, withinSeconds: 15 };
const UNRUNNABLE = { exitCode: 6, status: 'error' } as const;

const HANGS: readonly Fault[] = [
  {
    name: 'hangs',
    command: 'echo begun; sleep 1000',
    timeoutSeconds: 2,
    expected: { ...TOO_LATE, output: [/begun/] },
  },
  {
    name: 'hangs and ignores TERM, INT and HUP',
    command: "trap '' TERM INT HUP; echo begun; while :; do sleep 0.05; done",
    ...{ timeoutSeconds: 2, expected: { ...TOO_LATE, output: [/begun/] } },
  },
  {
    name: 'hangs busily',
    fullOnly: true,
    command: 'while :; do :; done',
    timeoutSeconds: 2,
    expected: TOO_LATE,
  },
  {
    name: 'hangs with its output closed',
    fullOnly: true,
    command: 'exec >&- 2>&-; sleep 1000',
    timeoutSeconds: 2,
    expected: TOO_LATE,
  },
  { name: 'stops itself', command: 'kill -STOP $$', timeoutSeconds: 2, expected: TOO_LATE },
  {
    name: 'prints without end',
    command: 'yes no end',
    timeoutSeconds: 2,
    expected: { ...TOO_LATE, output: [/no end/] },
  },
  {
    name: 'waits for input',
    fullOnly: true,
    command: 'cat; read line; echo "got: $line"',
    expected: { ...GREEN, output: [/got:\s*$/] },
  },
];

/** Children that outlive the check, and hold its output. */
const CHILDREN: readonly Fault[] = [
  { name: 'a child holds its output, the check is green', command: 'sleep 1000 & exit 0', expected: GREEN },
  {
    name: 'a child holds its output, the check is red',
    fullOnly: true,
    command: 'sleep 1000 & exit 1',
    expected: RED,
  },
  {
    name: 'a child in a session of its own holds its output',
    command: 'setsid sleep 1000 & exit 0',
    expected: GREEN,
  },
  {
    name: 'a grandchild that ignores TERM holds its output',
    command: `sh -c "trap '' TERM HUP; (sleep 1000; sleep 1000) & exit 0"; exit 1`,
    expected: RED,
  },
  {
    name: 'a child goes on printing',
    command: 'yes more & sleep 0.2; exit 0',
    expected: { ...GREEN, output: [/more/] },
  },
  {
    name: 'nohup, and the check hangs',
    fullOnly: true,
    command: 'nohup sleep 1000 & sleep 1000',
    timeoutSeconds: 2,
    expected: TOO_LATE,
  },
  {
    name: 'a hundred processes that ignore TERM',
    command: 'sh fault.sh 6',
    files: {
      'fault.sh':
        "trap '' TERM HUP\n[ $1 = 0 ] || { sh fault.sh $(($1 - 1)) & sh fault.sh $(($1 - 1)) & }\nsleep 1000\n",
    },
    ...{
      timeoutSeconds: 4,
      expected: { exitCode: 1, status: 'fail', detail: /Not finished within 4000 ms/ },
    },
  },
  {
    name: 'processes that go on in another process each time',
    command: 'setsid sh fault.sh 400 & sleep 1000',
    files: { 'fault.sh': "trap '' TERM HUP\n[ $1 = 0 ] || setsid sh fault.sh $(($1 - 1)) &\nsleep 0.02\n" },
    ...{ timeoutSeconds: 2, expected: TOO_LATE },
  },
];

const ENDS: readonly Fault[] = [
  { name: 'dies by SIGKILL', command: 'kill -KILL $$', expected: { ...RED, detail: /SIGKILL/ } },
  {
    name: 'dies by SIGSEGV',
    fullOnly: true,
    command: 'kill -SEGV $$',
    expected: { ...RED, detail: /SIGSEGV/ },
  },
  {
    name: 'dies by SIGTERM of its own',
    fullOnly: true,
    command: 'kill -TERM $$',
    expected: { ...RED, detail: /SIGTERM/ },
  },
  {
    name: 'a program of it died by a signal',
    command: 'exit 137',
    expected: { ...RED, detail: /SIGKILL|Exit code 137/ },
  },
  {
    name: 'is not there: exit code 127',
    command: 'no-such-program --all',
    expected: { ...UNRUNNABLE, detail: /could not run.*127/ },
  },
  {
    name: 'may not be run: exit code 126',
    command: './package.json',
    expected: { ...UNRUNNABLE, detail: /could not run.*126/ },
  },
  {
    name: 'ends with the largest exit code',
    fullOnly: true,
    command: 'exit 255',
    expected: { ...RED, detail: /Exit code 255/ },
  },
  {
    name: 'takes more memory than it may have',
    command: '(ulimit -v 3000000; exec node fault.mjs)',
    files: { 'fault.mjs': 'const kept = [];\nfor (;;) kept.push(Buffer.alloc(1 << 26, 1));\n' },
    expected: { ...RED, detail: /Exit code|SIG/, withinSeconds: 60 },
  },
];

/** `{report}` stands for a file that the check writes its report to. */
const REPORTS: readonly Fault[] = [
  {
    name: 'its report is missing',
    fullOnly: true,
    command: ': {report}',
    expected: { ...RED, detail: /without its report/ },
  },
  {
    name: 'its report is empty',
    fullOnly: true,
    command: ': > {report}',
    expected: { ...RED, detail: /report/ },
  },
  { name: 'its report is a folder', command: 'mkdir {report}', expected: { ...RED, detail: /report/ } },
  { name: 'its report is a FIFO', command: 'mkfifo {report}', expected: { ...RED, detail: /report/ } },
  {
    name: 'its report never ends',
    command: 'ln -s /dev/zero {report}',
    expected: { ...RED, detail: /report/ },
  },
  {
    name: 'its report is half of one',
    command: 'printf \'<testsuites><testsuite><testcase name="a">\' > {report}',
    expected: { ...RED, detail: /report|Exit code 0/ },
  },
  {
    name: 'its report says all is well, its exit code does not',
    command: `cp good.xml {report}; exit 1`,
    files: { 'good.xml': junit() },
    expected: { ...RED, detail: /exit code 1/i },
  },
  {
    name: 'its report is 200 MB',
    fullOnly: true,
    command: "node -e \"process.stdout.write('<testsuites>'+' '.repeat(2e8)+'</testsuites>')\" > {report}",
    expected: { ...RED, detail: /report/ },
  },
  {
    name: 'its report is nested a million deep',
    fullOnly: true,
    command: 'node -e "process.stdout.write(\'<a>\'.repeat(1e6))" > {report}',
    expected: { ...RED, detail: /report|Exit code 0/ },
  },
];

function junit(): string {
  return '<testsuites><testsuite name="s" tests="1" failures="0"><testcase classname="s" name="a"/></testsuite></testsuites>\n';
}

/** What a fault is about → the ways of it. `bytes` is the size of a flood. */
export function faultsOf(bytes: number): Readonly<Record<string, readonly Fault[]>> {
  const program = readFileSync(join(import.meta.dirname, 'flooded.mjs'), 'utf8');
  return {
    'checks that hang: ended in time, red': HANGS,
    'checks whose children live on: judged at once, no child left': CHILDREN,
    'checks that die, or are not there': ENDS,
    'output without measure: head and tail kept, memory flat': floods(bytes, program),
    'reports that are none: never a pass': REPORTS,
    'tests that bring their runner down: never a pass': RUNNER_FAULTS,
  };
}
