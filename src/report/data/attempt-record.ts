import { isBetter } from '../../loop/attempt.ts';
import { foundByChecks } from '../../loop/tampering.ts';
import type { StoredLoop } from '../../memory/analysis/read-attempts.ts';
import type { Evaluation, Reflection, Tampering, Trajectory, Usage } from '../../schema/generated.ts';
import { renderProblems, validate } from '../../schema/validate.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { messageOf } from '../../errors.ts';
import { attemptFile, RALPH_PATHS } from '../../platform/ralph-folder.ts';
import { readStored } from '../../platform/files/read-stored.ts';
import type { DamagedPart } from './loop-record.ts';

/** What is stored of one attempt; null stands for a part that is not there. */
export interface AttemptRecord {
  /** 1-based. */
  readonly iteration: number;
  /** Attempt whose tree it went on from; 0 is the base. */
  readonly startedFrom: number;
  /** Attempts whose reflections it was told of. */
  readonly window: readonly number[];
  readonly trajectory: Trajectory | null;
  /** What counts: the confirming one where it passed. */
  readonly evaluation: Evaluation | null;
  /** What was tried against the verdict, by the guard and by the checks. */
  readonly tampering: readonly Tampering[];
  /** Against the base, so of all attempts that it builds on together. */
  readonly patch: StoredPatch | null;
  /** Of a failed attempt. */
  readonly reflection: Reflection | null;
  /** Relative to the repository's root. */
  readonly reflectionPath: string | null;
  /** Better than everything before it, the baseline included. */
  readonly best: boolean;
  /** Of actor and reflector: one entry each where they asked a model. */
  readonly usage: readonly Usage[];
  /** Of actor and checks together. */
  readonly durationMs: number | null;
}

export interface StoredPatch {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Unified diff, as git writes it. */
  readonly text: string;
}

export interface StoredReflection {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly reflection: Reflection;
}

export interface AttemptSources {
  readonly repositoryRoot: string;
  readonly loopId: string;
  readonly stored: StoredLoop;
  /** Results in the journal, by step. */
  readonly steps: ReadonlyMap<string, unknown>;
  /** By attempt, 1-based. */
  readonly reflections: ReadonlyMap<number, StoredReflection>;
  /** `best`, `last` or `base`. */
  readonly retryFrom: string;
  readonly damaged: DamagedPart[];
}

/** A patch of more than this is no patch that anybody reads. */
const MAX_PATCH_BYTES = 8 * 1024 * 1024;

/** Every attempt that left an evaluation, a step or a reflection, by iteration. What is damaged is named in `damaged`. */
export async function readAttemptRecords(sources: AttemptSources): Promise<AttemptRecord[]> {
  const { stored, steps, reflections, retryFrom } = sources;
  const evaluations = new Map(stored.attempts.map(({ iteration, evaluation }) => [iteration, evaluation]));
  const acted = [...steps.keys()].flatMap((step) => /^(\d{1,9}):act$/.exec(step)?.[1] ?? []).map(Number);
  const iterations = [...new Set([...evaluations.keys(), ...acted, ...reflections.keys()])];
  const attempts: AttemptRecord[] = [];
  let best = stored.baseline;
  let [bestIteration, last] = [0, 0];
  for (const iteration of iterations.sort((a, b) => a - b)) {
    const evaluation = evaluations.get(iteration);
    const isBest = evaluation !== undefined && (best === undefined || isBetter(evaluation, best));
    const startedFrom = retryFrom === 'base' ? 0 : retryFrom === 'last' ? last : bestIteration;
    attempts.push({
      ...(await readAttempt(iteration, evaluation, sources)),
      ...{ startedFrom, best: isBest },
    });
    if (isBest) [best, bestIteration] = [evaluation, iteration];
    last = iteration;
  }
  return attempts;
}

/** The part of a journaled `N:act` that is used here. */
interface ActStep {
  readonly trajectory?: unknown;
  readonly tampering?: readonly Tampering[];
  readonly durationMs?: number;
}

async function readAttempt(
  iteration: number,
  evaluation: Evaluation | undefined,
  sources: AttemptSources,
): Promise<Omit<AttemptRecord, 'startedFrom' | 'best'>> {
  const act = (sources.steps.get(`${iteration}:act`) ?? {}) as ActStep;
  const written = sources.reflections.get(iteration);
  const reflection = written?.reflection;
  const trajectory = await readTrajectory(iteration, act, sources);
  const known = act.tampering ?? [];
  return {
    iteration,
    window: (reflection?.previous_reflections_used ?? []).map((index) => index + 1),
    trajectory,
    evaluation: evaluation ?? null,
    tampering: [...known, ...(evaluation === undefined ? [] : foundByChecks(evaluation, known))],
    patch: await readPatch(iteration, sources),
    reflection: reflection ?? null,
    reflectionPath: written?.path ?? null,
    usage: [trajectory?.usage, reflection?.reflector.usage].filter((usage) => usage !== undefined),
    durationMs:
      act.durationMs === undefined && evaluation === undefined
        ? null
        : (act.durationMs ?? 0) + (evaluation?.duration_ms ?? 0),
  };
}

/** From its file, which names every changed file; from the journal where an attempt was not judged. */
async function readTrajectory(
  iteration: number,
  act: ActStep,
  sources: AttemptSources,
): Promise<Trajectory | null> {
  const text = await readFile(iteration, 'trajectory.jsonl', sources);
  const parsed = text === undefined ? act.trajectory : parseLines(text);
  if (parsed === undefined) return null;
  const checked = typeof parsed === 'string' ? { ok: false as const, problem: parsed } : validated(parsed);
  if (checked.ok) return checked.value;
  const path = text === undefined ? 'journal.jsonl' : attemptFile(iteration, 'trajectory.jsonl');
  sources.damaged.push({
    path: RALPH_PATHS.inLoop(sources.loopId, path),
    problem: checked.problem,
  });
  return null;
}

function validated(value: unknown): { ok: true; value: Trajectory } | { ok: false; problem: string } {
  const checked = validate('trajectory', value);
  return checked.ok
    ? checked
    : { ok: false, problem: `is no trajectory: ${renderProblems(checked.problems)}` };
}

/** The trajectory, or what is wrong with its lines. */
function parseLines(text: string): unknown {
  try {
    const [head, ...actions] = text
      .trimEnd()
      .split('\n')
      .map((line) => parseBoundedJson(line));
    return { ...(head as object), actions };
  } catch (error) {
    return `is no JSON: ${messageOf(error)}`;
  }
}

async function readPatch(iteration: number, sources: AttemptSources): Promise<StoredPatch | null> {
  const text = await readFile(iteration, 'patch.diff', sources, MAX_PATCH_BYTES);
  const path = RALPH_PATHS.inAttempt(sources.loopId, iteration, 'patch.diff');
  return text === undefined ? null : { path, text };
}

async function readFile(
  iteration: number,
  name: string,
  { repositoryRoot, loopId, damaged }: AttemptSources,
  maxBytes?: number,
): Promise<string | undefined> {
  const path = RALPH_PATHS.inAttempt(loopId, iteration, name);
  const found = await readStored(repositoryRoot, path, maxBytes);
  if (found === undefined || 'text' in found) return found?.text;
  damaged.push({ path, problem: found.problem });
  return undefined;
}
