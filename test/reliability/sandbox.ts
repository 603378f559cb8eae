import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import type { EngineChoice } from '../../src/platform/sandbox/find-engine.ts';
import { TRAPS, tryTraps } from './sandbox/git-traps.ts';
import { tryHonest } from './sandbox/honest.ts';
import { tryOwnTree } from './sandbox/own-tree.ts';
import { ralphWithoutEngine, tryProgram } from './sandbox/program.ts';
import { leaveHome, openSite, tryAll, VISIBLE, type Tried } from './sandbox/try-all.ts';
import { commitTree, writeTree } from './sandbox/write-tree.ts';
import type { Row, Suite } from './suite.ts';

const NOBODY = 65_534;

const OPEN_ENDS = [
  'a service that begins to listen later on a socket of the file system, outside homes, /tmp and /run, can be reached',
  'sockets of a virtual machine to its host (AF_VSOCK) belong to no network name space',
  'system-wide files that everybody may read can be read',
  'memory, disk and processes are not limited',
  'an agent (--agent) itself is not confined; the commands that it lets ralph run are',
];

const OPEN_IN_RUNTIME: Readonly<Record<string, string>> = {
  'proc: any setting of the kernel': 'sandbox-runtime: settings of its own name spaces can be written',
  'process: a shared memory of the user removed':
    "sandbox-runtime: the user's System V shared memory is reached",
};

/** Attacks on the sandbox of commands and checks, honest work in it, and what happens where there is no engine. */
export const sandboxSuite: Suite = {
  name: 'sandbox',
  async run({ full, onProgress }) {
    const rows: Row[] = [];
    const add = async (what: string, tried: () => Promise<Omit<Row, 'what'>>): Promise<void> => {
      onProgress(what);
      rows.push({ what, ...(await tried()) });
    };
    mkdirSync(VISIBLE, { recursive: true });
    const name = process.getuid?.() === 0 ? 'root' : 'this user';
    await add(`attacks from inside the sandbox, as ${name}`, async () =>
      rowOf(await tryAll({ mode: 'strict' }), OPEN_ENDS),
    );
    if (full && process.getuid?.() === 0)
      await add('attacks from inside the sandbox, as an ordinary user', async () =>
        rowOf(asOrdinaryUser('bubblewrap')),
      );
    if (full && process.getuid?.() === 0)
      await add('attacks from inside sandbox-runtime, as an ordinary user', async () =>
        beside(OPEN_IN_RUNTIME, asOrdinaryUser('sandbox-runtime')),
      );
    await add("--isolation in-place: attacks on git's and ralph's folders and the dependencies", async () => {
      const { tried, successes } = await tryOwnTree(VISIBLE);
      const known = "the history and the configuration of the user's own repository can be read there";
      return { tried, held: tried - successes.length, gaps: [known, ...successes] };
    });
    await add('honest work inside the sandbox', async () => {
      const { tried, failed } = await honestly();
      return { tried, held: tried - failed.length, gaps: failed };
    });
    await add('ralph run: every attack in a row, by an actor and by a check', async () => {
      const found = [await tryProgram('actor', VISIBLE), await tryProgram('check', VISIBLE)];
      return { tried: 2, held: found.filter((signs) => signs.length === 0).length, gaps: found.flat() };
    });
    await add('ralph run: traps for git in the workspace, without a sandbox', async () => {
      const { exitCode, sprung } = await tryTraps();
      const gaps = exitCode === 0 ? sprung : ['the loop did not get to its end'];
      return { tried: TRAPS, held: exitCode === 0 ? TRAPS - sprung.length : 0, gaps };
    });
    await add('ralph run: where no engine works', async () => withoutEngine());
    return rows;
  },
};

function rowOf({ tried, successes }: Tried, known: readonly string[] = []): Omit<Row, 'what'> {
  const gaps = successes.map(({ attack, signs }) => `${attack}: ${signs.join(', ')}`);
  return { tried, held: tried - successes.length, gaps: [...known, ...gaps] };
}

/** Less the attacks that are known to get through. */
function beside(known: Readonly<Record<string, string>>, { tried, successes }: Tried): Omit<Row, 'what'> {
  const rest = successes.filter(({ attack }) => known[attack] === undefined);
  return rowOf({ tried: tried - Object.keys(known).length, successes: rest }, Object.values(known));
}

/** In a process of its own. */
function asOrdinaryUser(engine: EngineChoice): Tried {
  const folder = mkdtempSync(join(VISIBLE, 'ralph-user-'));
  chownSync(folder, NOBODY, NOBODY);
  try {
    const program = join(import.meta.dirname, 'sandbox/as-other-user.ts');
    const options = { uid: NOBODY, gid: NOBODY, cwd: '/', extendEnv: false, reject: false } as const;
    const env = { PATH: process.env['PATH'], HOME: folder };
    const { stdout } = execaSync(process.execPath, [program, folder, engine], { ...options, env });
    return JSON.parse(stdout) as Tried;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function honestly(): ReturnType<typeof tryHonest> {
  const home = process.env['HOME'];
  const { ground, sandbox } = await openSite('strict');
  try {
    return await tryHonest(ground, sandbox);
  } finally {
    await ground.close();
    leaveHome(home);
  }
}

const MESSAGE = /apt-get install bubblewrap|user name spaces/;
const WARNING = /without a sandbox/g;

/** What is refused, what goes on with one warning, and what the user said in so many words. */
async function withoutEngine(): Promise<Omit<Row, 'what'>> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-engine-'));
  try {
    writeTree(root, {
      'package.json': '{ "name": "a", "scripts": { "test": "node a.js" } }\n',
      'a.js': '\n',
    });
    commitTree(root);
    const run = async (...args: string[]) => {
      const { exitCode, told } = await ralphWithoutEngine(root, ['run', ...args]);
      return { exitCode, told, warnings: (told.match(WARNING) ?? []).length };
    };
    const strict = await run('--sandbox', 'strict');
    const model = await run('--model', 'openai/none');
    const agent = await run('--command', 'true');
    const search = await run();
    const off = await run('--sandbox', 'off');
    const held: Readonly<Record<string, boolean>> = {
      '--sandbox strict refuses': strict.exitCode === 2 && MESSAGE.test(strict.told),
      'a model is refused':
        model.exitCode === 2 && MESSAGE.test(model.told) && model.told.includes('--sandbox off'),
      'a program that edits is refused': agent.exitCode === 2 && MESSAGE.test(agent.told),
      'the offline actor goes on with one warning':
        search.exitCode === 0 && search.warnings === 1 && MESSAGE.test(search.told),
      '--sandbox off is silent': off.exitCode === 0 && off.warnings === 0,
    };
    const gaps = Object.entries(held).flatMap(([what, isSo]) => (isSo ? [] : [`not so: ${what}`]));
    return { tried: Object.keys(held).length, held: Object.keys(held).length - gaps.length, gaps };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
