import { RalphError, messageOf } from '../../errors.ts';
import { readAttempts } from '../../memory/analysis/read-attempts.ts';
import { readReflections } from '../../memory/episodes/reflection-files.ts';
import type { DeliveryOutcome } from '../../ports/tree.ts';
import type { Evaluation, LoopState, LoopStatus, Verdict } from '../../schema/generated.ts';
import { scanJournal } from '../../state/journal.ts';
import { lockHolder } from '../../state/lock.ts';
import { readState } from '../../state/loops.ts';
import { startedState } from '../../state/started-state.ts';
import { RALPH_PATHS, ralphFolder } from '../../platform/ralph-folder.ts';
import { redactValue } from '../../platform/redaction/redact.ts';
import { readAttemptRecords, type AttemptRecord, type StoredReflection } from './attempt-record.ts';
import { readMemoryRecord, type MemoryRecord } from './memory-record.ts';
import { verdictSoFar } from './verdict-so-far.ts';

/** A stored file that could not be used. */
export interface DamagedPart {
  /** Relative to the repository's root. */
  readonly path: string;
  /** Completes a sentence that begins with the path: `is not JSON: …`. */
  readonly problem: string;
}

/**
 * All stored data of one loop, redacted. Its texts come from a repository, programs and models, so each must be escaped
 * for the format in which it is shown.
 */
export interface LoopRecord {
  readonly loopId: string;
  readonly task: string;
  /** `running`: a process holds the lock. `interrupted`: it ended without a final status, for example by a power cut. */
  readonly status: Exclude<LoopStatus, 'failed' | 'dry_run'> | 'running' | 'interrupted';
  readonly actor: string;
  /** `provider/model`, or the agent, of the actor; null if it uses none. */
  readonly model: string | null;
  /** ISO 8601; null if unknown. */
  readonly startedAt: string | null;
  /** Time of the last saved state, ISO 8601. */
  readonly updatedAt: string | null;
  readonly maxIterations: number | null;
  /** The printed verdict; for a loop without one (running, interrupted, error) derived from the stored data. */
  readonly verdict: Verdict;
  /** True if the verdict is the printed one. */
  readonly isFinal: boolean;
  /** The evaluation before the first attempt, the confirming one if it passed; null if missing. */
  readonly baseline: Evaluation | null;
  /** By iteration; attempts without stored data are left out. */
  readonly attempts: readonly AttemptRecord[];
  readonly memory: MemoryRecord;
  /** Delivery of a verified result; null if there was none. */
  readonly delivery: DeliveryOutcome | null;
  readonly damaged: readonly DamagedPart[];
}

/**
 * Reads all stored parts of a loop: journal, state, attempts, reflections, lessons. Missing or damaged parts are listed
 * in `damaged`, not thrown. `loopId` must be a valid id (see `resolveLoopId`).
 */
export async function readLoopRecord(repositoryRoot: string, loopId: string): Promise<LoopRecord> {
  const damaged: DamagedPart[] = [];
  const state = await readLoopState(repositoryRoot, loopId, damaged);
  const steps = readSteps(repositoryRoot, loopId, damaged);
  const stored = await readAttempts(repositoryRoot, loopId);
  const { records, damaged: badReflections } = await readReflections(repositoryRoot, loopId);
  damaged.push(...stored.leftOut, ...badReflections);
  const reflections = new Map(
    records.flatMap(({ source, path, reflection }): [number, StoredReflection][] =>
      source === 'ralph' ? [[reflection.iteration + 1, { path, reflection }]] : [],
    ),
  );
  const attempts = await readAttemptRecords({
    repositoryRoot,
    loopId,
    stored,
    steps,
    reflections,
    damaged,
    retryFrom: stringSetting(state, 'retryFrom') ?? 'best',
  });
  const memory = await readMemoryRecord({ repositoryRoot, loopId, attempts, damaged });
  const status = resolveStatus(repositoryRoot, loopId, state);
  const known = { loopId, status, state, attempts, baseline: stored.baseline ?? null };
  // The state of a resumed loop still holds the verdict from before, until the loop ends again.
  const final = state?.verdict?.status === status ? state.verdict : undefined;
  const delivery = (steps.get('deliver') as DeliveryOutcome | undefined) ?? null;
  return redactValue({
    loopId,
    task: state?.task ?? [...reflections.values()][0]?.reflection.task_description ?? '',
    status,
    actor: state?.actor ?? attempts[0]?.trajectory?.actor ?? '',
    model: stringSetting(state, 'model') ?? stringSetting(state, 'agent') ?? null,
    startedAt: state?.started_at ?? null,
    updatedAt: state?.updated_at ?? null,
    maxIterations: state?.max_iterations ?? null,
    verdict: final ?? verdictSoFar(known),
    isFinal: final !== undefined,
    baseline: stored.baseline ?? null,
    attempts,
    memory,
    delivery,
    damaged,
  });
}

/** The saved state, or the initial one from the journal. */
async function readLoopState(
  root: string,
  loopId: string,
  damaged: DamagedPart[],
): Promise<LoopState | null> {
  const path = RALPH_PATHS.state(loopId);
  try {
    const state = await readState(root, loopId);
    if (state === null) damaged.push({ path, problem: 'is missing' });
    if (state !== null) return state;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    damaged.push({ path, problem: `cannot be used: ${error.message}` });
  }
  return startedState(root, loopId) ?? null;
}

/** Results of the finished steps by name, up to the first damaged line of the journal. */
function readSteps(root: string, loopId: string, damaged: DamagedPart[]): ReadonlyMap<string, unknown> {
  const path = RALPH_PATHS.journal(loopId);
  try {
    const { records, problem, isTorn } = scanJournal(ralphFolder(root).journal(loopId));
    if (problem !== undefined && !isTorn) damaged.push({ path, problem: `is damaged: ${problem}` });
    return new Map(records.map(({ step, data }) => [step, data]));
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    damaged.push({ path, problem: `cannot be read: ${messageOf(error)}` });
    return new Map();
  }
}

/** A loop with the status `running` whose lock nobody holds was killed: `interrupted`. */
function resolveStatus(root: string, loopId: string, state: LoopState | null): LoopRecord['status'] {
  if (isHeld(root, loopId)) return 'running';
  return state === null || state.status === 'running' ? 'interrupted' : state.status;
}

function isHeld(root: string, loopId: string): boolean {
  try {
    return lockHolder(root)?.loopId === loopId;
  } catch (error) {
    if (error instanceof RalphError) return false;
    throw error;
  }
}

/** A string setting that the loop was started with. */
function stringSetting(state: LoopState | null, name: string): string | undefined {
  const { config } = (state?.options ?? {}) as { readonly config?: Readonly<Record<string, unknown>> };
  const value = config?.[name];
  return typeof value === 'string' ? value : undefined;
}
