import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';
import type { EngineChoice } from '../../src/platform/sandbox/find-engine.ts';
import { sampleOf } from './sample.ts';
import { ATTACKS } from './sandbox/attacks.ts';
import { TRAPS, tryTraps } from './sandbox/git-traps.ts';
import { tryHonest } from './sandbox/honest.ts';
import { tryOwnTree } from './sandbox/own-tree.ts';
import { ralphWithoutEngine, tryProgram } from './sandbox/program.ts';
import { openSetup, restoreEnvironment, tryAll, VISIBLE, type Tried } from './sandbox/try-all.ts';
import { commitTree, writeTree } from './sandbox/write-tree.ts';
import type { Row, Suite } from './suite.ts';

const NOBODY = 65_534;
/** Has no entry in the passwd file. */
const WITHOUT_NAME = 54_321;

const KNOWN_GAPS = [
  'a service can be reached if it starts later to listen on a socket of the file system outside homes, /tmp and /run',
  'sockets between a virtual machine and its host (AF_VSOCK) belong to no network namespace',
  'world-readable files of the system can be read',
  'a setgid program can be made in the workspace',
  'a program that deletes its traces faster than they are measured can exceed a limit for a moment',
  'an agent (--agent) is confined only if it is claude, gemini or opencode; of others the commands are that it runs through ralph',
];

/** Attacks on sandbox-runtime that succeed, with their descriptions. */
const GAPS_OF_RUNTIME: Readonly<Record<string, string>> = {
  'proc: any setting of the kernel': 'sandbox-runtime: settings of its own namespaces can be written',
};

/** Attacks on the sandbox of commands and checks, ordinary work in it, and ralph without a sandbox engine. */
export const sandboxSuite: Suite = {
  name: 'sandbox',
  async run({ full, seed, onProgress }) {
    const rows: Row[] = [];
    const add = async (claim: string, run: () => Promise<Omit<Row, 'claim'>>): Promise<void> => {
      onProgress(claim);
      rows.push({ claim, ...(await run()) });
    };
    mkdirSync(VISIBLE, { recursive: true });
    const name = process.getuid?.() === 0 ? 'root' : 'this user';
    await add(`attacks from inside the sandbox, as ${name}`, async () =>
      rowOf(await tryAll({ mode: 'strict' }), KNOWN_GAPS),
    );
    if (full && process.getuid?.() === 0)
      await add('attacks from inside the sandbox, as an ordinary user', async () =>
        rowOf(asOrdinaryUser('bubblewrap')),
      );
    if (full && process.getuid?.() === 0)
      await add('attacks from inside the sandbox, as a user without a name', async () =>
        rowOf(asOrdinaryUser('bubblewrap', WITHOUT_NAME)),
      );
    if (full && process.getuid?.() === 0)
      await add('attacks from inside sandbox-runtime, as an ordinary user', async () =>
        withKnownGaps(GAPS_OF_RUNTIME, asOrdinaryUser('sandbox-runtime')),
      );
    await add('--isolation in-place: attacks on .git, .aiwg and the dependencies', async () => {
      const { tried, successes } = await tryOwnTree(VISIBLE);
      const known = "the history and the configuration of the user's own repository can be read there";
      return { tried, held: tried - successes.length, gaps: [known, ...successes] };
    });
    await add('ordinary work inside the sandbox', async () => {
      const { tried, failed } = await tryOrdinaryWork();
      return { tried, held: tried - failed.length, gaps: failed };
    });
    // Each attack has a row above; this row is about the two places in which `ralph run` starts programs.
    const selected = full ? ATTACKS : sampleOf(ATTACKS, 6, seed);
    await add('ralph run: attacks by an actor, and by a check', async () => {
      const found = [
        await tryProgram('actor', VISIBLE, selected),
        await tryProgram('check', VISIBLE, selected),
      ];
      return { tried: 2, held: found.filter((signs) => signs.length === 0).length, gaps: found.flat() };
    });
    await add('ralph run without a sandbox: hooks and filters planted for git do not run', async () => {
      const { exitCode, executed } = await tryTraps();
      const gaps = exitCode === 0 ? executed : [`the loop failed with exit code ${exitCode}`];
      return { tried: TRAPS, held: exitCode === 0 ? TRAPS - executed.length : 0, gaps };
    });
    await add('ralph run where no sandbox engine works: rejected, or one warning', async () =>
      withoutEngine(),
    );
    return rows;
  },
};

function rowOf({ tried, successes }: Tried, known: readonly string[] = []): Omit<Row, 'claim'> {
  const gaps = successes.map(({ attack, signs }) => `${attack}: ${signs.join(', ')}`);
  return { tried, held: tried - successes.length, gaps: [...known, ...gaps] };
}

/** A row without the attacks that are known to succeed; these are its gaps. */
function withKnownGaps(
  known: Readonly<Record<string, string>>,
  { tried, successes }: Tried,
): Omit<Row, 'claim'> {
  const rest = successes.filter(({ attack }) => known[attack] === undefined);
  return rowOf({ tried: tried - Object.keys(known).length, successes: rest }, Object.values(known));
}

/** Tries all attacks in a process of another user: nobody by default. */
function asOrdinaryUser(engine: EngineChoice, user = NOBODY): Tried {
  const folder = makeTemporaryFolder('user', VISIBLE);
  chownSync(folder, user, user);
  try {
    const program = join(import.meta.dirname, 'sandbox/as-other-user.ts');
    const options = { uid: user, gid: user, cwd: '/', extendEnv: false, reject: false } as const;
    const env = { PATH: process.env['PATH'], HOME: folder };
    const { stdout } = execaSync(process.execPath, [program, folder, engine], { ...options, env });
    return JSON.parse(stdout) as Tried;
  } finally {
    removeTemporaryFolder(folder);
  }
}

async function tryOrdinaryWork(): ReturnType<typeof tryHonest> {
  const environment = { ...process.env };
  const { testbed, sandbox } = await openSetup('strict');
  try {
    return await tryHonest(testbed, sandbox);
  } finally {
    await testbed.close();
    restoreEnvironment(environment);
  }
}

const MESSAGE = /apt-get install bubblewrap|user namespaces/;
const WARNING = /without a sandbox/g;

/** Without an engine, ralph rejects actors whose code is not its own, warns once, or is silent with --sandbox off. */
async function withoutEngine(): Promise<Omit<Row, 'claim'>> {
  const root = makeTemporaryFolder('engine');
  try {
    writeTree(root, {
      'package.json': '{ "name": "a", "scripts": { "test": "node a.js" } }\n',
      'a.js': '\n',
    });
    commitTree(root);
    const run = async (...args: string[]) => {
      const { exitCode, output } = await ralphWithoutEngine(root, ['run', ...args]);
      return { exitCode, output, warnings: (output.match(WARNING) ?? []).length };
    };
    const strict = await run('--sandbox', 'strict');
    const model = await run('--model', 'openai/none');
    const agent = await run('--command', 'true');
    const search = await run();
    const off = await run('--sandbox', 'off');
    const expectations: Readonly<Record<string, boolean>> = {
      '--sandbox strict is rejected': strict.exitCode === 2 && MESSAGE.test(strict.output),
      'a model is rejected':
        model.exitCode === 2 && MESSAGE.test(model.output) && model.output.includes('--sandbox off'),
      'a --command is rejected': agent.exitCode === 2 && MESSAGE.test(agent.output),
      'the offline actor runs, with one warning':
        search.exitCode === 0 && search.warnings === 1 && MESSAGE.test(search.output),
      '--sandbox off prints no warning': off.exitCode === 0 && off.warnings === 0,
    };
    const gaps = Object.entries(expectations).flatMap(([name, holds]) => (holds ? [] : [`false: ${name}`]));
    const tried = Object.keys(expectations).length;
    return { tried, held: tried - gaps.length, gaps };
  } finally {
    removeTemporaryFolder(root);
  }
}
