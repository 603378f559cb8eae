import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { isPromptPrefix, sizeOf, startWireServer, type WireRequest } from '../test/support/wire/index.ts';
import { median, RALPH, spread } from './measure.ts';
import { commit } from './repository.ts';

/** What one process, or one session, took. */
interface Taken {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Written by `session-meter.cjs`. */
interface Metered {
  readonly processes: number;
  readonly gitCount: number;
  readonly gitMs: number;
  readonly gitCpuMs: number;
  readonly otherMs: number;
  readonly otherCpuMs: number;
  readonly cpuMs: number;
}

interface Session extends Taken {
  readonly metered: Metered;
  readonly requests: readonly WireRequest[];
}

const METER = join(import.meta.dirname, 'session-meter.cjs');
const SERVED = 6;
/** The bar: what a session may take of its own, in milliseconds. */
const MOST = { wallMs: 450, cpuMs: 500 };

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
 * A session of six requests against a model on loopback, in a new repository each: `ralph run --actor react` from its
 * start to its end, less the lives of the programs that it runs beside git (baseline, the model's `npm test`,
 * evaluation, confirmation) and the time that the server took. CPU is that of the process and of its git children.
 */
export async function measureSession(runs: number): Promise<string> {
  await runSession();
  const bare: Taken[] = [];
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
  const of = (pick: (metered: Metered) => number): number[] => sessions.map(({ metered }) => pick(metered));
  return [
    `session   wall beside model and checks ${row(sessions, starts, 'wallMs')}`,
    `          CPU of ralph and its git     ${row(sessions, starts, 'cpuMs')}`,
    `          of that git: ${spread(
      of(({ gitCpuMs }) => gitCpuMs),
      0,
    )} ms CPU, ${spread(
      of(({ gitMs }) => gitMs),
      0,
    )} ms wall, ${median(of(({ gitCount }) => gitCount))} processes`,
    `          not counted: ${spread(
      of(({ otherMs }) => otherMs),
      0,
    )} ms wall, ${spread(
      of(({ otherCpuMs }) => otherCpuMs),
      0,
    )} ms CPU of checks`,
    `          requests of ${first.requests.map(sizeOf).join(', ')} bytes; ${prefixes(first.requests)} of ${SERVED - 1} begin with the one before; first requests of two repositories are equal in their first ${share(first, second)} %`,
  ].join('\n');
}

function row(sessions: readonly Session[], starts: Taken, key: keyof Taken): string {
  const values = sessions.map((session) => session[key]);
  const most = median(values) <= MOST[key] ? 'within' : 'over';
  return `${spread(values, 0)} ms, ${(median(values) / starts[key]).toFixed(1)} × node -e 0 (${starts[key].toFixed(0)} ms), ${most} ${MOST[key]} ms, ${values.length} runs`;
}

async function runBare(): Promise<Taken> {
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
      commit(repository);
      const model = ['--model', 'openai-compatible/scripted', '--base-url', server.baseUrl('openai-chat')];
      const args = [RALPH, 'run', 'make the tests pass', '--actor', 'react', ...model];
      const { ms, exitCode, printed, metered } = await runMetered(args, repository, join(folder, 'meter'));
      const { requests, servedMs } = server;
      if (exitCode !== 0 || requests.length !== SERVED)
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
  const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function prefixes(requests: readonly WireRequest[]): number {
  return requests.slice(1).filter((request, index) => isPromptPrefix(requests[index]!, request)).length;
}

/** Of the shorter body, how much is the same from the start, in percent. */
function share(first: Session, second: Session): string {
  const [a, b] = [first.requests[0]!.body, second.requests[0]!.body];
  const shorter = Math.min(a.length, b.length);
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return ((same / shorter) * 100).toFixed(1);
}
