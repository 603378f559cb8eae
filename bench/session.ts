import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../src/platform/files/temporary-folder.ts';
import { isPromptPrefix, sizeOf, startWireServer, type WireRequest } from '../test/support/wire/index.ts';
import { median, RALPH, spread } from './measure.ts';
import { commitRepository } from './repository.ts';

/** Time of one process, or of one session. */
interface Times {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Child processes of one process, as written by `session-meter.cjs`; `cpuMs` is the CPU time of the process itself. */
interface Metered {
  readonly processes: number;
  readonly gitCount: number;
  readonly gitMs: number;
  readonly gitCpuMs: number;
  readonly otherMs: number;
  readonly otherCpuMs: number;
  readonly cpuMs: number;
}

interface Session extends Times {
  readonly metered: Metered;
  readonly requests: readonly WireRequest[];
}

const METER = join(import.meta.dirname, 'session-meter.cjs');
const MODEL_REQUESTS = 6;
/** The target: medians of a session should not be larger. */
const TARGET = { wallMs: 600, cpuMs: 700 };

const EDIT = { oldText: 'sum += item.price;', newText: 'sum += item.price * item.quantity;' };
const SCRIPT = [
  { text: 'Let me look.', toolCalls: [{ name: 'list', input: {} }] },
  { toolCalls: [{ name: 'read', input: { path: 'src/cart.js' } }] },
  { toolCalls: [{ name: 'read', input: { path: 'test/cart.test.js' } }] },
  { toolCalls: [{ name: 'edit', input: { path: 'src/cart.js', edits: [EDIT] } }] },
  { toolCalls: [{ name: 'bash', input: { command: 'npm test' } }] },
  { text: 'The quantity was not counted.' },
];

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'shop',
    type: 'module',
    scripts: { test: 'node --test' },
    ralph: { workspaceDir: '../workspaces' },
  }),
  'src/cart.js':
    'export function total(items) {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n}\n',
  'test/cart.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { total } from '../src/cart.js';\ntest('counts the quantity', () => assert.equal(total([{ price: 2, quantity: 3 }]), 6));\n",
};

/**
 * Measures `ralph run --actor react` with six requests to a scripted model on loopback, each session in a new repository.
 * The wall time does not include the programs that ralph runs other than git (baseline, the model's `npm test`,
 * evaluation, confirmation) and the time of the server. CPU time is that of the process and of its git children.
 */
export async function measureSession(runs: number): Promise<string> {
  await runSession();
  const bare: Times[] = [];
  const sessions: Session[] = [];
  for (let run = 0; run < runs; run++) {
    bare.push(await runBare());
    sessions.push(await runSession());
  }
  const starts = {
    wallMs: median(bare.map(({ wallMs }) => wallMs)),
    cpuMs: median(bare.map(({ cpuMs }) => cpuMs)),
  };
  const [first, second] = sessions as [Session, Session];
  const valuesOf = (key: keyof Metered): number[] => sessions.map(({ metered }) => metered[key]);
  return [
    `session   wall time without model and checks ${renderTimes(sessions, starts, 'wallMs')}`,
    `          CPU time of ralph and git          ${renderTimes(sessions, starts, 'cpuMs')}`,
    `          git's share: ${spread(valuesOf('gitCpuMs'), 0)} ms CPU, ${spread(valuesOf('gitMs'), 0)} ms wall time, ${median(valuesOf('gitCount'))} processes`,
    `          not included: ${spread(valuesOf('otherMs'), 0)} ms wall time and ${spread(valuesOf('otherCpuMs'), 0)} ms CPU of the checks`,
    `          requests of ${first.requests.map(sizeOf).join(', ')} bytes; ${countExtensions(first.requests)} of ${MODEL_REQUESTS - 1} extend the request before; the first requests in two repositories share a prefix of ${commonPrefix(first, second)} %`,
  ].join('\n');
}

function renderTimes(sessions: readonly Session[], starts: Times, key: keyof Times): string {
  const values = sessions.map((session) => session[key]);
  const comparison = median(values) <= TARGET[key] ? 'within' : 'over';
  return `${spread(values, 0)} ms, ${(median(values) / starts[key]).toFixed(1)} × node -e 0 (${starts[key].toFixed(0)} ms), ${comparison} the target of ${TARGET[key]} ms, ${values.length} runs`;
}

async function runBare(): Promise<Times> {
  return inFolder(async (folder) => {
    const { ms, metered } = await runMetered(['-e', '0'], folder, join(folder, 'meter'));
    return { wallMs: ms, cpuMs: metered.cpuMs };
  });
}

async function runSession(): Promise<Session> {
  const server = await startWireServer(SCRIPT);
  try {
    return await inFolder(async (folder) => {
      const repository = join(folder, 'shop');
      for (const [path, text] of Object.entries(FILES)) {
        mkdirSync(join(repository, path, '..'), { recursive: true });
        writeFileSync(join(repository, path), text);
      }
      commitRepository(repository);
      const model = ['--model', 'openai-compatible/scripted', '--base-url', server.baseUrl('openai-chat')];
      const args = [RALPH, 'run', 'make the tests pass', '--actor', 'react', ...model];
      const { ms, exitCode, printed, metered } = await runMetered(args, repository, join(folder, 'meter'));
      const { requests, servedMs } = server;
      if (exitCode !== 0 || requests.length !== MODEL_REQUESTS)
        throw new Error(`The session ended with ${exitCode} after ${requests.length} requests:\n${printed}`);
      const wallMs = ms - servedMs - metered.otherMs;
      return { wallMs, cpuMs: metered.cpuMs + metered.gitCpuMs, metered, requests: [...requests] };
    });
  } finally {
    await server.close();
  }
}

async function runMetered(
  args: readonly string[],
  cwd: string,
  file: string,
): Promise<{ ms: number; exitCode: number | null; printed: string; metered: Metered }> {
  const { durationMs, exitCode, all } = await execa(process.execPath, ['--require', METER, ...args], {
    cwd,
    stdin: 'ignore',
    all: true,
    reject: false,
    env: { SESSION_METER: file },
  });
  return {
    ms: durationMs,
    exitCode: exitCode ?? null,
    printed: all,
    metered: JSON.parse(readFileSync(file, 'utf8').split('\n')[0]!) as Metered,
  };
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder('bench');
  try {
    return await use(folder);
  } finally {
    removeTemporaryFolder(folder);
  }
}

/** Number of requests that begin with the whole prompt of the request before, so that its cache entry is used. */
function countExtensions(requests: readonly WireRequest[]): number {
  return requests.slice(1).filter((request, index) => isPromptPrefix(requests[index]!, request)).length;
}

/** Length of the common prefix of the first requests of two sessions, in percent of the shorter one. */
function commonPrefix(first: Session, second: Session): string {
  const [a, b] = [first.requests[0]!.body, second.requests[0]!.body];
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return ((same / shorter) * 100).toFixed(1);
}
