import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess, type ProcessOutcome } from '../../../src/platform/processes/process.ts';
import { usageLimits, type GivenLimits } from '../../../src/platform/sandbox/limits.ts';
import { openSandbox } from '../../../src/platform/sandbox/open.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import { hasBubblewrap } from '../../support/bubblewrap.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const GIB = 2 ** 30;

it('limits memory by the machine, files by defaults, and nothing where a limit is 0', () => {
  const defaults = usageLimits();
  expect(defaults).toMatchObject({ diskBytes: 20 * GIB, fileBytes: 8 * GIB, processes: 4096 });
  expect(defaults.memoryBytes).toBeGreaterThan(0);
  expect(defaults.memoryBytes).toBeLessThan(Infinity);
  expect(usageLimits({ memory: 0.5, disk: 0, file: 0, processes: 0 })).toEqual({
    memoryBytes: GIB / 2,
    diskBytes: Infinity,
    fileBytes: Infinity,
    processes: Infinity,
  });
});

async function run(limits: GivenLimits, shell: string, root = temporaryFolder()): Promise<ProcessOutcome> {
  const options = { network: false, passEnv: [], read: [], write: [], limits: usageLimits(limits) };
  const policy = () => workspacePolicy({ root, repository: root, dependencies: [] }, options);
  const { sandbox } = await openSandbox({ mode: 'strict', policy, engine: 'bubblewrap', isForeign: false });
  return runProcess({ shell, cwd: root, env: childEnvironment(), sandbox, timeoutMs: 30_000 });
}

const wait = 'setTimeout(() => {}, 1500)';
const EATS_MEMORY = `node -e 'globalThis.all = Buffer.alloc(300 * 2 ** 20, 1); ${wait}'`;
/** memfd_create(2) of x86-64: a file without a name that no folder has. */
const FILLS_UNNAMED = `perl -e 'my $fd = syscall(319, my $name = "x", 0); open(my $file, ">&=", $fd) or die; print {$file} "x" x 1048576 for 1..300; $file->flush; sleep 2'`;
const SHARES = `perl -MIPC::SysV -e 'defined(shmget(0, $ARGV[0], 0600)) or die "$!\\n"'`;
const FILLS_TMP = 'head -c 300M /dev/zero > /tmp/big; sleep 1.5';
const SPAWNS = 'for i in $(seq 60); do sleep 1.5 & done; wait';
const WRITES = 'head -c 40M /dev/zero > a; head -c 40M /dev/zero > b; sync; sleep 1.5; rm a b';
const WRITES_ONE = 'head -c 40M /dev/zero > a';

describe.runIf(hasBubblewrap)('a confined program', () => {
  it.each([
    [
      'memory',
      EATS_MEMORY,
      { memory: 0.2 },
      /^it used [\d.]+ MiB of memory, more than the limit of 204\.8 MiB/,
    ],
    ...(process.arch === 'x64'
      ? ([
          ['unnamed files in memory', FILLS_UNNAMED, { memory: 0.2 }, /^it used [\d.]+ MiB of memory/],
        ] as const)
      : []),
    ['files in memory', FILLS_TMP, { memory: 0.2 }, undefined],
    ['processes', SPAWNS, { processes: 40 }, /^it had \d+ processes and threads, more than the limit of 40/],
    ['files', WRITES, { disk: 0.05 }, /^it wrote [\d.]+ MiB of files, more than the limit of 51\.2 MiB/],
    ['one file', WRITES_ONE, { file: 0.02 }, /^it wrote a file beyond the limit of 20\.5 MiB/],
  ] as const)('is limited in %s, and runs to its end without the limit', async (_, shell, limits, limit) => {
    const struck = await run(limits, shell);
    if (limit === undefined) expect(struck.stderr).toContain('No space left on device');
    else expect([struck.exitCode, struck.limit]).toEqual([null, expect.stringMatching(limit)]);
    expect(await run({}, shell)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('gets a small segment of System V, and no large one', async () => {
    expect(await run({}, `${SHARES} 4096`)).toMatchObject({ exitCode: 0 });
    expect((await run({}, `${SHARES} 4194304`)).stderr).toBe('Operation not permitted\n');
  });

  it('leaves nothing running when a limit strikes', async () => {
    const root = temporaryFolder();
    await run({ processes: 40 }, `(setsid sh -c "sleep 2; touch late" &); ${SPAWNS}`, root);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(existsSync(join(root, 'late'))).toBe(false);
  });
});
