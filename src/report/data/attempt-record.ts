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

/** The stored parts of one attempt; a missing part is null. */
export interface AttemptRecord {
  /** 1-based. */
  readonly iteration: number;
  /** Attempt whose tree this one started from; 0 is the base. */
  readonly startedFrom: number;
  /** Attempts whose reflections were in the prompt. */
  readonly window: readonly number[];
  readonly trajectory: Trajectory | null;
  /** The evaluation that counts: the confirming one for a passing attempt. */
  readonly evaluation: Evaluation | null;
  /** Tampering found by the guard and by the checks. */
  readonly tampering: readonly Tampering[];
  /** Diff against the base, which includes the changes of the attempts before it. */
  readonly patch: StoredPatch | null;
  /** Null for a passing attempt. */
  readonly reflection: Reflection | null;
  /** Relative to the repository's root. */
  readonly reflectionPath: string | null;
  /** Better than the baseline and all earlier attempts. */
  readonly best: boolean;
  /** Usage of actor and reflector, one entry for each that called a model. */
  readonly usage: readonly Usage[];
  /** Duration of actor and checks together. */
  readonly durationMs: number | null;
}

/** The stored diff of an attempt. */
export interface StoredPatch {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Unified diff, as git writes it. */
  readonly text: string;
}

/** The stored reflection on an attempt. */
export interface StoredReflection {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly reflection: Reflection;
}

/** Input of `readAttemptRecords`. */
export interface AttemptSources {
  readonly repositoryRoot: string;
  readonly loopId: string;
  readonly stored: StoredLoop;
  /** Results of the journal's steps, by step name. */
  readonly steps: ReadonlyMap<string, unknown>;
  /** By attempt, 1-based. */
  readonly reflections: ReadonlyMap<number, StoredReflection>;
  /** `best`, `last` or `base`. */
  readonly retryFrom: string;
  readonly damaged: DamagedPart[];
}

/** Larger patches are not shown. */
const MAX_PATCH_BYTES = 8 * 1024 * 1024;

/** Reads all attempts with an evaluation, a step or a reflection, by iteration. Damaged files are added to `damaged`. */
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
      startedFrom,
      best: isBest,
    });
    if (isBest) [best, bestIteration] = [evaluation, iteration];
    last = iteration;
  }
  return attempts;
}

/** The fields of the journal step `N:act` that are used here. */
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

/** Reads the trajectory from its file, or from the journal for an attempt that was not evaluated. */
async function readTrajectory(
  iteration: number,
  act: ActStep,
  sources: AttemptSources,
): Promise<Trajectory | null> {
  const text = await readFile(iteration, 'trajectory.jsonl', sources);
  const parsed = text === undefined ? act.trajectory : parseLines(text);
  if (parsed === undefined) return null;
  const checked =
    typeof parsed === 'string' ? { ok: false as const, problem: parsed } : checkTrajectory(parsed);
  if (checked.ok) return checked.value;
  const path = text === undefined ? 'journal.jsonl' : attemptFile(iteration, 'trajectory.jsonl');
  sources.damaged.push({
    path: RALPH_PATHS.inLoop(sources.loopId, path),
    problem: checked.problem,
  });
  return null;
}

function checkTrajectory(value: unknown): { ok: true; value: Trajectory } | { ok: false; problem: string } {
  const checked = validate('trajectory', value);
  return checked.ok
    ? checked
    : { ok: false, problem: `is not a trajectory: ${renderProblems(checked.problems)}` };
}

/** The trajectory, or the problem with its lines. */
function parseLines(text: string): unknown {
  try {
    const [head, ...actions] = text
      .trimEnd()
      .split('\n')
      .map((line) => parseBoundedJson(line));
    return { ...(head as object), actions };
  } catch (error) {
    return `is not JSON: ${messageOf(error)}`;
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
