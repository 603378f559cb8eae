import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageFile } from '../../src/platform/package-files.ts';
import { RALPH_PATHS } from '../../src/platform/ralph-folder.ts';
import type { Evaluation, Reflection, Trajectory } from '../../src/schema/generated.ts';
import { startWireServer, type WireServer } from '../../test/support/wire/index.ts';
import { git } from './git.ts';
import { proofErrors } from './proof-errors.ts';
import {
  commandProgram,
  makeSubject,
  modelReplies,
  writeSubject,
  type ActorName,
  type Tool,
} from './subjects.ts';

/** One failed attempt as ralph recorded it, and its trees, made from the recorded patches by git alone. */
export interface RecordedAttempt {
  /** 1-based. */
  readonly iteration: number;
  readonly reflection: Reflection;
  readonly evaluation: Evaluation;
  readonly trajectory: Trajectory;
  /** Git tree after the attempt, and the one that it started from. */
  readonly tree: string;
  readonly start: string;
  /** Evaluation of the start; `startedFrom`: 0 for the original tree, else an iteration. */
  readonly before: Evaluation;
  readonly startedFrom: number;
}

/** The attempts of one loop. */
export interface RecordedLoop {
  readonly root: string;
  readonly actor: ActorName;
  readonly tool: Tool;
  readonly attempts: readonly RecordedAttempt[];
}

const RETRY_FROM = ['best', 'last', 'base'] as const;
const MAX_ATTEMPTS = 5;

/**
 * Runs one loop in a generated repository below `folder`, an absolute path, and reads what it recorded. A loop that the folder
 * has already is only read.
 */
export async function recordLoop(
  folder: string,
  { actor, tool, seed }: { readonly actor: ActorName; readonly tool: Tool; readonly seed: number },
): Promise<RecordedLoop> {
  const root = join(folder, `${actor}-${tool}-${seed}`);
  const retryFrom = RETRY_FROM[seed % 3]!;
  if (existsSync(root)) return { root, actor, tool, attempts: readAttempts({ root, tool }, retryFrom) };
  mkdirSync(root);
  const subject = makeSubject(tool, seed);
  writeSubject(root, subject);
  const server = actor === 'model' ? await startModel(modelReplies(subject.attempts, seed)) : undefined;
  const program = `${root}.mjs`;
  if (actor === 'command') writeFileSync(program, commandProgram(subject.attempts));
  if (actor === 'search')
    writeFileSync(join(root, 'ralph.config.json'), JSON.stringify({ search: { maxCandidates: 40 + seed } }));
  const how = {
    search: ['--actor', 'search'],
    command: ['--actor', 'command', '--command', `node ${program}`],
    model: [
      '--actor',
      'react',
      '--model',
      'openai-compatible/wire-model',
      '--base-url',
      server?.baseUrl('openai-chat') ?? '',
    ],
  }[actor];
  const flags = ['--reflector', 'rules', '--retry-from', retryFrom, '--max-iterations', String(MAX_ATTEMPTS)];
  try {
    await execa(
      process.execPath,
      [
        packageFile('bin', 'ralph.js'),
        'run',
        'make the checks pass',
        '--format',
        'json',
        '--quiet',
        '--no-memory',
        '--sandbox',
        'off',
        ...flags,
        ...how,
      ],
      {
        cwd: root,
        reject: false,
        timeout: 180_000,
        env: { OPENAI_COMPATIBLE_API_KEY: 'none', OPENAI_API_KEY: 'none' },
      },
    );
  } finally {
    await server?.close();
  }
  return { root, actor, tool, attempts: readAttempts({ root, tool }, retryFrom) };
}

/** A model that begins the next conversation with each new attempt: a request without its own earlier answers. */
function startModel(conversations: ReturnType<typeof modelReplies>): Promise<WireServer> {
  let [conversation, turn] = [-1, 0];
  return startWireServer(({ json }) => {
    const messages = (json as { messages?: { role: string }[] }).messages ?? [];
    if (!messages.some(({ role }) => role === 'assistant')) [conversation, turn] = [conversation + 1, 0];
    return conversations[conversation % conversations.length]![turn++] ?? { text: 'Done.' };
  });
}

function readAttempts(
  loop: Pick<RecordedLoop, 'root' | 'tool'>,
  retryFrom: (typeof RETRY_FROM)[number],
): RecordedAttempt[] {
  const { root } = loop;
  const loops = join(root, RALPH_PATHS.loops());
  const [loopId] = existsSync(loops) ? readdirSync(loops).filter((name) => name.startsWith('ralph-')) : [];
  if (loopId === undefined) return [];
  const read = <T>(path: string): T => JSON.parse(readFileSync(join(loops, loopId, path), 'utf8')) as T;
  const baseline = read<Evaluation>('baseline.json');
  const base = git(root, ['rev-parse', 'HEAD^{tree}']);
  let best = { tree: base, evaluation: baseline, iteration: 0 };
  let last = best;
  const attempts: RecordedAttempt[] = [];
  for (let iteration = 1; ; iteration++) {
    const folder = `attempts/${String(iteration).padStart(3, '0')}`;
    const path = join(root, RALPH_PATHS.reflection(loopId, iteration - 1));
    if (!existsSync(join(loops, loopId, folder, 'patch.diff')) || !existsSync(path)) return attempts;
    const judged = read<Evaluation>(`${folder}/evaluation.json`);
    const reflection = JSON.parse(readFileSync(path, 'utf8')) as Reflection;
    const [head, ...actions] = readFileSync(join(loops, loopId, folder, 'trajectory.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const start =
      retryFrom === 'base'
        ? { tree: base, evaluation: baseline, iteration: 0 }
        : retryFrom === 'last'
          ? last
          : best;
    const tree = treeOf(root, base, join(loops, loopId, folder, 'patch.diff'));
    const proof = proofErrors(loop, tree, reflection);
    const evaluation = { ...judged, diagnostics: [...judged.diagnostics, ...proof] };
    attempts.push({
      iteration,
      evaluation,
      tree,
      reflection,
      trajectory: { ...head, actions } as Trajectory,
      start: start.tree,
      before: start.evaluation,
      startedFrom: start.iteration,
    });
    last = { tree, evaluation, iteration };
    if (isBetter(evaluation, best.evaluation)) best = last;
  }
}

function isBetter(one: Evaluation, other: Evaluation): boolean {
  const errors = ({ diagnostics, missing_tests: missing }: Evaluation): number =>
    diagnostics.filter(({ severity }) => severity === 'error').length + missing.length;
  return one.reward === other.reward ? errors(one) < errors(other) : one.reward > other.reward;
}

/** The tree of the original files with a patch. */
function treeOf(root: string, base: string, patch: string): string {
  const env = { GIT_INDEX_FILE: join(root, '.git', 'referee-index') };
  git(root, ['read-tree', base], env);
  if (readFileSync(patch, 'utf8') !== '') git(root, ['apply', '--cached', '--whitespace=nowarn', patch], env);
  return git(root, ['write-tree'], env);
}
