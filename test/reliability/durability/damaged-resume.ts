import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, SuiteOptions } from '../suite.ts';
import { rowOf, type Trial } from '../row.ts';
import {
  failpointEnvironment,
  gitFingerprint,
  makeTestRepository,
  ralph,
  type ProcessResult,
  type TestRepository,
} from './test-repository.ts';
import { FILES, FORMAT, MODEL_ENVIRONMENT, REPAIRED, runArguments, startModel } from './model-loop.ts';
import { loopsOf } from './state-problems.ts';
import { tryAll } from './trial.ts';

/** Files of a loop by a piece of their path, and whether a changed bit in one must be told. */
const TARGETS = [
  { path: 'journal.jsonl', isSealed: true },
  { path: 'state.json', isSealed: true },
  { path: 'baseline.json', isSealed: true },
  { path: 'attempts/001/evaluation.json', isSealed: true },
  { path: 'model-calls.jsonl', isSealed: true },
  { path: 'reflections', isSealed: false },
  { path: 'snapshots.git/index-', isSealed: false },
] as const;

const HARMS: Readonly<Record<string, (content: Buffer) => Buffer | undefined>> = {
  flipped: (content) => {
    const copy = Buffer.from(content);
    copy[Math.floor(copy.length / 3)]! ^= 1;
    return copy;
  },
  cut: (content) => content.subarray(0, Math.floor(content.length / 2)),
  zeroed: (content) => Buffer.from(content).fill(0, Math.floor(content.length / 2)),
  empty: () => Buffer.of(),
  gone: () => undefined,
};

interface Harm {
  readonly target: (typeof TARGETS)[number];
  readonly how: string;
}

const FEW = [
  'journal.jsonl flipped',
  'state.json flipped',
  'model-calls.jsonl flipped',
  'snapshots.git/index- cut',
];
const READERS = [['list'], ['status'], ['logs'], ['reflections', 'list'], ['reflections', 'validate']];

/** A loop that was killed and whose files were damaged after: every command gets along, and resume finishes. */
export async function tryDamagedResume({ full, onProgress }: SuiteOptions): Promise<Row> {
  const all = TARGETS.flatMap((target) => Object.keys(HARMS).map((how) => ({ target, how })));
  const chosen = all.filter((harm) => full || FEW.includes(nameOf(harm)));
  const trials = await tryAll(chosen, 2, (harm) => tryHarm(harm, full), nameOf);
  onProgress(`${chosen.length} damaged loops`);
  return rowOf('ralph resume over a damaged file: told, set scratch, finished', trials);
}

async function tryHarm(harm: Harm, full: boolean): Promise<Trial> {
  const repository = makeTestRepository(FILES);
  const server = await startModel();
  try {
    const before = gitFingerprint(repository.root);
    const env = { ...MODEL_ENVIRONMENT, ...failpointEnvironment('step.begin@2:evaluate:kill') };
    await ralph(repository, runArguments(server), { env });
    for (const path of pathsOf(repository, harm.target.path)) damage(path, HARMS[harm.how]!);
    const problems: string[] = [];
    for (const command of full ? READERS : [])
      problems.push(...faultOf(command.join(' '), await ralph(repository, command)));
    const resumed = await ralph(repository, ['resume', ...FORMAT], { env: MODEL_ENVIRONMENT });
    problems.push(...faultOf('resume', resumed));
    if (resumed.exitCode !== 0)
      problems.push(`resume ended with ${resumed.exitCode}: ${resumed.stderr.slice(0, 400)}`);
    const told = `${resumed.stdout}\n${resumed.stderr}`;
    const isTold = told.includes(harm.target.path) && /aside|kept as/.test(told);
    if (harm.target.isSealed && harm.how === 'flipped' && !isTold) problems.push('nobody is told');
    if (readFileSync(join(repository.root, 'src/price.txt'), 'utf8') !== REPAIRED)
      problems.push('the result is not applied');
    if (gitFingerprint(repository.root) !== before) problems.push('index or refs changed');
    return { name: nameOf(harm), problems };
  } finally {
    await server.close();
    repository.remove();
  }
}

function nameOf({ target, how }: Harm): string {
  return `${target.path} ${how}`;
}

function pathsOf({ root }: TestRepository, piece: string): string[] {
  const state = join(root, '.aiwg/ralph');
  const [loop] = loopsOf(root);
  if (piece === 'reflections') return [join(state, 'reflections', loop!, '001.json')];
  if (!piece.startsWith('snapshots.git')) return [join(state, 'loops', loop!, piece)];
  const indexes = readdirSync(join(state, 'snapshots.git')).filter((name) => /^index-[0-9a-f]+$/.test(name));
  if (indexes.length === 0) throw new Error('There is no index to be damaged.');
  return indexes.map((name) => join(state, 'snapshots.git', name));
}

function damage(path: string, harm: (content: Buffer) => Buffer | undefined): void {
  const harmed = harm(readFileSync(path));
  if (harmed === undefined) rmSync(path);
  else writeFileSync(path, harmed);
}

function faultOf(command: string, { exitCode, stderr }: ProcessResult): string[] {
  const isTold = exitCode !== null && exitCode <= 7 && !stderr.includes('fault in ralph itself');
  return isTold ? [] : [`${command} ended with ${exitCode}: ${stderr.slice(0, 400)}`];
}
