import { ADDER, manifest, repository } from '../repositories/testbed.ts';
import { HONEST_FIX, inFullOnly, REPAIRED, type Kind } from '../repositories/kind.ts';

const TIMEOUT = ['--check-timeout', '5s'];

/** An attempt whose edit is this shell command: it is judged, and nothing of it is delivered. */
function rejected(name: string, actor: string, messages: readonly RegExp[]): Kind {
  return {
    name,
    make: (testbed) => ({
      cwd: repository(testbed),
      args: [...TIMEOUT, '--command', actor],
      expected: { exitCode: 1, messages: [/NOT VERIFIED/, ...messages] },
    }),
  };
}

/** The honest repair, in a repository with an unusual test script. */
function accepted(name: string, script: string, expected: Partial<typeof REPAIRED> = {}): Kind {
  return {
    name,
    make: (testbed) => ({
      cwd: repository(testbed, { ...ADDER, 'package.json': manifest({ scripts: { test: script } }) }),
      expected: { ...REPAIRED, ...expected },
    }),
  };
}

/** Attempts that disturb the checks of `ralph run`. */
export const ATTEMPT_FAULTS: readonly Kind[] = [
  rejected('an attempt that makes the tests hang', "echo 'for (;;);' >> src/add.js", [
    /did not finish in time|Not finished|did not end|still running when the time was over/,
  ]),
  rejected('an attempt that ends the tests with exit code 0', "echo 'process.exit(0);' >> src/add.js", [
    /red/,
  ]),
  rejected('an attempt that kills the runner', "echo 'process.kill(process.ppid, 9);' >> src/add.js", [
    /red/,
  ]),
  inFullOnly(
    rejected(
      'an attempt that allocates without limit',
      "echo 'const all = []; for (;;) all.push(Buffer.alloc(1 << 28, 1).toString());' >> src/add.js",
      [/red/],
    ),
  ),
  inFullOnly(
    rejected('an attempt that prints without end', "echo 'for (;;) console.log(1e9);' >> src/add.js", [
      /did not finish in time|Not finished|did not end|still running when the time was over/,
    ]),
  ),
  accepted('a repair, and a child of npm test keeps its output open', 'node --test && (sleep 1000 &)'),
  inFullOnly(
    accepted(
      'a repair, and npm test prints 100 MB',
      'node --test && head -c 100000000 /dev/zero | tr "\\\\0" x',
    ),
  ),
  {
    name: 'a repair that passes the checks, and npm test never ends',
    make(testbed) {
      const scripts = { test: 'node --test', posttest: 'sleep 1000' };
      const root = repository(testbed, { ...ADDER, 'package.json': manifest({ scripts }) });
      const args = [...TIMEOUT, '--command', HONEST_FIX];
      return { cwd: root, args, expected: { exitCode: 1, messages: [/did not end within/] } };
    },
  },
];
