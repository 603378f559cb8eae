import { join } from 'node:path';
import { readdirSync, rmSync } from 'node:fs';
import { execa } from 'execa';
import type { Row, SuiteOptions } from '../suite.ts';
import { rowOf, type Trial } from '../row.ts';
import { failpointEnvironment, memoryFolder } from './test-repository.ts';
import { stateProblems } from './state-problems.ts';
import { stateWrites } from './state-writes.ts';
import { tryAll } from './trial.ts';

const WORKER = join(import.meta.dirname, 'state-worker.ts');
/** The reduced run kills at every so many-th place. */
const EVERY = 6;

/** kill -9 at every step of every write of every state file; what was acknowledged must be there. */
export async function tryStateCrashes(
  { full, onProgress }: SuiteOptions,
  how: 'durable' | 'plain' = 'durable',
): Promise<Row> {
  const places = await countPlaces(how);
  const chosen = Array.from({ length: places }, (_, index) => index + 1).filter(
    (place) => full || place % EVERY === 0,
  );
  onProgress(`kills at ${chosen.length} of ${places} places of the state's writes`);
  const trials = await tryAll(chosen, 2, (place) => tryCrash(place, how), String);
  return rowOf(
    `kill -9 at ${chosen.length} steps of the state's writes: nothing acknowledged is lost`,
    trials,
  );
}

async function countPlaces(how: string): Promise<number> {
  const root = memoryFolder();
  try {
    const { hits } = await work(root, how, '*:delay:999999');
    return hits;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function tryCrash(place: number, how: 'durable' | 'plain'): Promise<Trial> {
  const root = memoryFolder();
  try {
    const { said, signal } = await work(root, how, `*:kill:${place}`);
    const problems = signal === 'SIGKILL' ? [] : ['it was not killed'];
    problems.push(...(await lostWrites(root, said)), ...(await stateProblems(root)));
    // The next process makes all of them again, over what the dead one left.
    const writes = stateWrites(root);
    for (const write of writes) await write.run();
    problems.push(
      ...(await lostWrites(
        root,
        writes.map(({ name }) => name),
      )),
      ...(await stateProblems(root)),
    );
    const left = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ralph-tmp'),
    );
    if (left.length > 0) problems.push(`left behind: ${left.join(', ')}`);
    return { name: `place ${place}, after ${said.at(-1) ?? 'nothing'}`, problems };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Which of the acknowledged writes cannot be read any more. */
export async function lostWrites(root: string, acknowledged: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const write of stateWrites(root)) {
    if (!acknowledged.includes(write.name)) continue;
    const found = await write.isThere().catch((error: unknown) => (error as Error).message);
    if (found !== true) problems.push(`${write.name} is lost${found === false ? '' : `: ${found}`}`);
  }
  return problems;
}

interface Worked {
  readonly said: readonly string[];
  readonly signal: NodeJS.Signals | null;
  /** Failpoints passed; told at the end alone. */
  readonly hits: number;
}

async function work(root: string, how: string, failpoint: string): Promise<Worked> {
  const result = await execa(process.execPath, [WORKER, root, how], {
    env: failpointEnvironment(failpoint),
    stdin: 'ignore',
    stderr: 'ignore',
    stripFinalNewline: false,
    reject: false,
  });
  if (result.code !== undefined) throw result;
  const said = result.stdout.split('\n').slice(0, -1);
  const hits = Number(/^passed (\d+)$/.exec(said.at(-1) ?? '')?.[1] ?? 0);
  return { said: said.filter((line) => !line.startsWith('passed ')), signal: result.signal ?? null, hits };
}
