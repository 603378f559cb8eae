import { ADDER, manifest, repository } from '../repositories/ground.ts';
import { HONEST_FIX, inFullOnly, REPAIRED, type Kind } from '../repositories/kind.ts';

const TIMEOUT = ['--check-timeout', '5s'];

/** An attempt whose edit is this shell command: whatever it does, it is judged, and nothing of it arrives. */
function bad(name: string, actor: string, says: readonly RegExp[]): Kind {
  return {
    name,
    make: (ground) => ({
      ...{ cwd: repository(ground), args: [...TIMEOUT, '--command', actor] },
      expected: { exitCode: 1, says: [/NOT VERIFIED/, ...says] },
    }),
  };
}

/** The honest repair, in a repository whose test script does something odd beside. */
function honest(name: string, script: string, expected: Partial<typeof REPAIRED> = {}): Kind {
  return {
    name,
    make: (ground) => ({
      cwd: repository(ground, { ...ADDER, 'package.json': manifest({ scripts: { test: script } }) }),
      expected: { ...REPAIRED, ...expected },
    }),
  };
}

/** Faults that come with an attempt, seen by `ralph run`. */
export const ATTEMPT_FAULTS: readonly Kind[] = [
  bad('an attempt that makes the tests hang', "echo 'for (;;);' >> src/add.js", [
    /did not finish in time|Not finished/,
  ]),
  bad('an attempt that ends the tests with exit code 0', "echo 'process.exit(0);' >> src/add.js", [/red/]),
  bad('an attempt that kills the runner', "echo 'process.kill(process.ppid, 9);' >> src/add.js", [/red/]),
  inFullOnly(
    bad(
      'an attempt that takes all memory',
      "echo 'const all = []; for (;;) all.push(Buffer.alloc(1 << 28, 1).toString());' >> src/add.js",
      [/red/],
    ),
  ),
  inFullOnly(
    bad('an attempt that prints without end', "echo 'for (;;) console.log(1e9);' >> src/add.js", [
      /did not finish in time|Not finished/,
    ]),
  ),
  honest('a repair, and a child that holds the output of npm test', 'node --test && (sleep 1000 &)'),
  inFullOnly(
    honest(
      'a repair, and npm test prints 100 MB',
      'node --test && head -c 100000000 /dev/zero | tr "\\\\0" x',
    ),
  ),
  {
    name: 'a repair that the checks accept, and npm test never ends',
    make(ground) {
      const scripts = { test: 'node --test', posttest: 'sleep 1000' };
      const root = repository(ground, { ...ADDER, 'package.json': manifest({ scripts }) });
      const args = [...TIMEOUT, '--command', HONEST_FIX];
      return { cwd: root, args, expected: { exitCode: 1, says: [/did not end within/] } };
    },
  },
];
