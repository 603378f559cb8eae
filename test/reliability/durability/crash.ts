import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, SuiteOptions } from '../suite.ts';
import { rowOf, type Trial } from '../row.ts';
import {
  failpointEnvironment,
  gitFingerprint,
  makeTestRepository,
  ralph,
  stateFiles,
  treeFingerprint,
  type ProcessResult,
  type TestRepository,
} from './test-repository.ts';
import {
  FILES,
  FORMAT,
  MODEL_ENVIRONMENT,
  repeatedCalls,
  REPAIRED,
  runArguments,
  startModel,
} from './model-loop.ts';
import { loopsOf, stateProblems } from './state-problems.ts';
import { tryAll } from './trial.ts';

/** A place that a loop passes. */
interface Hit {
  /** 1-based, among all hits of the loop. */
  readonly number: number;
  readonly name: string;
  readonly subject: string;
  /** A reply has come and is not in the log yet: nobody but the dead process knew of it. */
  readonly isUnrecorded: boolean;
}

/** What is tried where there is no time for all: one of each kind that once lost something. */
const FEW = [
  'lock.noted',
  'step.journaled start',
  'snapshot.staged',
  'call.answered',
  'append.written model-calls.jsonl',
  'step.done 1:act',
  'write.half state.json',
  'write.renamed reflections/',
  'step.done 1:reflect',
  'delivery.beside',
  'delivery.written',
];

const KNOWN_GAP =
  'declared: a reply that had come and was not yet in the log when the process died is asked for once more';

/** kill -9 at every failpoint of a loop with a model, then resume. */
export async function tryCrashes({ full, onProgress }: SuiteOptions): Promise<Row[]> {
  const hits = await traceLoop();
  const chosen = full ? hits : FEW.map((few) => hitOf(few, hits));
  let done = 0;
  const trials = await tryAll(
    chosen,
    2,
    async (hit) => {
      const trial = await tryCrash(hit);
      onProgress(`killed at ${++done} of ${chosen.length} places (${hit.name})`);
      return trial;
    },
    textOf,
  );
  const names = new Set(chosen.map(({ name }) => name)).size;
  const known = chosen.some(({ isUnrecorded }) => isUnrecorded) ? [KNOWN_GAP] : [];
  return [rowOf(`kill -9 at ${chosen.length} places by ${names} failpoints, then resume`, trials, known)];
}

function hitOf(text: string, hits: readonly Hit[]): Hit {
  const words = text.split(' ');
  const found = hits.find((hit) => words.every((word) => textOf(hit).includes(word)));
  if (found === undefined)
    throw new Error(`The loop never passes ${text}; it passes:\n${hits.map(textOf).join('\n')}`);
  return found;
}

/** All that a loop passes, in order. */
async function traceLoop(): Promise<Hit[]> {
  const repository = makeTestRepository(FILES);
  const server = await startModel();
  try {
    const file = join(repository.scratch, 'trace');
    const env = { ...MODEL_ENVIRONMENT, ...failpointEnvironment('*:trace'), RALPH_FAILPOINT_TRACE: file };
    const ended = await ralph(repository, runArguments(server), { env });
    if (ended.exitCode !== 0)
      throw new Error(`The loop itself ended with ${ended.exitCode}: ${ended.stderr}`);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line, index) => {
      const [name, ...subject] = line.split(' ');
      const isUnrecorded = isBeforeRecord(lines, index);
      return { number: index + 1, name: name!, subject: subject.join(' '), isUnrecorded };
    });
  } finally {
    await server.close();
    repository.remove();
  }
}

/** The log's first reply is added behind its heading, which is a line of its own. */
function isBeforeRecord(lines: readonly string[], index: number): boolean {
  if (lines[index]!.startsWith('call.answered')) return true;
  if (!lines[index]!.endsWith('model-calls.jsonl')) return false;
  const rest = lines.slice(index);
  const end = rest.findIndex((line) => !line.endsWith('model-calls.jsonl'));
  return rest.slice(0, end).some((line) => line.startsWith('append.half'));
}

async function tryCrash(hit: Hit): Promise<Trial> {
  const repository = makeTestRepository(FILES);
  const server = await startModel();
  try {
    const before = { tree: treeFingerprint(repository.root), git: gitFingerprint(repository.root) };
    const env = { ...MODEL_ENVIRONMENT, ...failpointEnvironment(`*:kill:${hit.number}`) };
    const killed = await ralph(repository, runArguments(server), { env });
    const problems: string[] = killed.signal === 'SIGKILL' ? [] : ['it was not killed'];
    const acknowledged = acknowledgedIn(killed, repository);
    problems.push(...(await stateProblems(repository.root)));
    problems.push(
      ...damageToUser(repository, before, hit.name.startsWith('delivery') || deliveryBegan(repository)),
    );

    const resumed = await resumeOrRun(repository, () => runArguments(server));
    if (resumed.exitCode !== 0)
      problems.push(`resume ended with ${resumed.exitCode}: ${resumed.stderr.slice(0, 500)}`);
    problems.push(...(await stateProblems(repository.root)), ...lostWrites(acknowledged, repository));
    if (readFileSync(join(repository.root, 'src/price.txt'), 'utf8') !== REPAIRED)
      problems.push('the result is not applied');
    if (gitFingerprint(repository.root) !== before.git) problems.push('index or refs changed');
    const twice = repeatedCalls(server);
    if (twice > (hit.isUnrecorded ? 1 : 0)) problems.push(`${twice} model calls were paid twice`);
    const left = stateFiles(repository.root).filter((path) => path.endsWith('.ralph-tmp'));
    if (left.length > 0) problems.push(`left behind: ${left.join(', ')}`);
    return { name: textOf(hit), problems };
  } finally {
    await server.close();
    repository.remove();
  }
}

/** `ralph resume`; where there is nothing yet to be resumed, or nothing any more, another loop. */
export async function resumeOrRun(repository: TestRepository, args: () => string[]): Promise<ProcessResult> {
  const resumed = await ralph(repository, ['resume', ...FORMAT], { env: MODEL_ENVIRONMENT });
  const nothingYet =
    resumed.exitCode === 2 && /No loop has run|nothing to resume|is finished/.test(resumed.stderr);
  if (!nothingYet) return resumed;
  return ralph(repository, args(), { env: MODEL_ENVIRONMENT });
}

interface Before {
  readonly tree: string;
  readonly git: string;
}

/** Before a delivery has begun nothing of the user's may differ; then each file is the old one or the new. */
export function damageToUser({ root }: TestRepository, before: Before, delivers: boolean): string[] {
  const problems: string[] = [];
  if (gitFingerprint(root) !== before.git) problems.push('index or refs changed by the kill');
  if (!delivers && treeFingerprint(root) !== before.tree)
    problems.push("the user's tree changed by the kill");
  const text = readFileSync(join(root, 'src/price.txt'), 'utf8');
  if (![FILES['src/price.txt'], REPAIRED].includes(text)) problems.push(`src/price.txt is a part: ${text}`);
  return problems;
}

function deliveryBegan({ root }: TestRepository): boolean {
  return loopsOf(root).some((loopId) => existsSync(join(root, '.aiwg/ralph/loops', loopId, 'delivery.json')));
}

/** Reflections that the dead process had told of, with their content; by path. */
function acknowledgedIn({ stdout }: ProcessResult, { root }: TestRepository): ReadonlyMap<string, string> {
  const events = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; path?: string });
  const paths = events.flatMap(({ type, path }) => (type === 'reflection_written' ? [path!] : []));
  return new Map(
    paths.map((path) => [path, existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '']),
  );
}

function lostWrites(acknowledged: ReadonlyMap<string, string>, { root }: TestRepository): string[] {
  return [...acknowledged].flatMap(([path, text]) =>
    text !== '' && existsSync(join(root, path)) && readFileSync(join(root, path), 'utf8') === text
      ? []
      : [`the acknowledged reflection ${path} is lost`],
  );
}

function textOf({ name, subject }: Hit): string {
  const shown = subject.replace(/^.*\/\.aiwg\/ralph\//, '').replace(/ralph-set-the-price-[a-z0-9-]+\//, '');
  return `${name} ${shown}`.trim();
}
