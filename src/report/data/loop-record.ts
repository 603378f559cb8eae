import { RalphError, messageOf } from '../../errors.ts';
import { readAttempts } from '../../memory/analysis/read-attempts.ts';
import { readReflections } from '../../memory/episodes/reflection-files.ts';
import type { DeliveryOutcome } from '../../ports.ts';
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

/** A part of what is stored that could not be used. */
export interface DamagedPart {
  /** Relative to the repository's root. */
  readonly path: string;
  /** A sentence without a subject, such as `is no JSON: …`. */
  readonly problem: string;
}

/**
 * Everything that is stored of one loop, without secrets. Its texts come from a repository, programs and models: each
 * must be escaped for where it is shown.
 */
export interface LoopRecord {
  readonly loopId: string;
  readonly task: string;
  /** `running`: somebody works on it now. `interrupted`: it ended without saying how, as by a power cut. */
  readonly status: Exclude<LoopStatus, 'failed' | 'dry_run'> | 'running' | 'interrupted';
  readonly actor: string;
  /** `provider/model`, or the agent, that the actor asks; null where it asks none. */
  readonly model: string | null;
  /** ISO 8601; null where nothing says it. */
  readonly startedAt: string | null;
  /** When its state was saved last, ISO 8601. */
  readonly updatedAt: string | null;
  readonly maxIterations: number | null;
  /**
   * As it was printed at the end; of a loop that has none (it runs, was interrupted, ended by an error), put together
   * from what is stored.
   */
  readonly verdict: Verdict;
  /** Whether the verdict is the one that was printed. */
  readonly isFinal: boolean;
  /** The evaluation before the first attempt, confirmed where it was green; null where it is not there. */
  readonly baseline: Evaluation | null;
  /** By iteration; those that left nothing are not there. */
  readonly attempts: readonly AttemptRecord[];
  readonly memory: MemoryRecord;
  /** Where a verified result went; null where there was none. */
  readonly delivery: DeliveryOutcome | null;
  readonly damaged: readonly DamagedPart[];
}

/**
 * Reads a loop as far as it is stored: journal, state, attempts, reflections, lessons. A missing or damaged part is
 * named in `damaged` and never thrown. `loopId` must be one (`resolveLoopId` gives one that is there).
 */
export async function readLoopRecord(repositoryRoot: string, loopId: string): Promise<LoopRecord> {
  const damaged: DamagedPart[] = [];
  const state = await stateOf(repositoryRoot, loopId, damaged);
  const steps = stepsOf(repositoryRoot, loopId, damaged);
  const stored = await readAttempts(repositoryRoot, loopId);
  const { records, damaged: badReflections } = await readReflections(repositoryRoot, loopId);
  damaged.push(...stored.leftOut, ...badReflections);
  const reflections = new Map(
    records.flatMap(({ source, path, reflection }): [number, StoredReflection][] =>
      source === 'ralph' ? [[reflection.iteration + 1, { path, reflection }]] : [],
    ),
  );
  const attempts = await readAttemptRecords({
    ...{ repositoryRoot, loopId, stored, steps, reflections, damaged },
    retryFrom: settingOf(state, 'retryFrom') ?? 'best',
  });
  const memory = await readMemoryRecord({ repositoryRoot, loopId, attempts, damaged });
  const status = statusOf(repositoryRoot, loopId, state);
  const known = { loopId, status, state, attempts, baseline: stored.baseline ?? null };
  // A loop that was resumed, and runs or failed since, still has the verdict that it had before.
  const final = state?.verdict?.status === status ? state.verdict : undefined;
  const delivery = (steps.get('deliver') as DeliveryOutcome | undefined) ?? null;
  return redactValue({
    loopId,
    task: state?.task ?? [...reflections.values()][0]?.reflection.task_description ?? '',
    status,
    actor: state?.actor ?? attempts[0]?.trajectory?.actor ?? '',
    model: settingOf(state, 'model') ?? settingOf(state, 'agent') ?? null,
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

/** The saved state, or the one that the journal began with. */
async function stateOf(root: string, loopId: string, damaged: DamagedPart[]): Promise<LoopState | null> {
  const path = RALPH_PATHS.state(loopId);
  try {
    const state = await readState(root, loopId);
    if (state === null) damaged.push({ path, problem: 'is not there' });
    if (state !== null) return state;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    damaged.push({ path, problem: `cannot be used: ${error.message}` });
  }
  return startedState(root, loopId) ?? null;
}

/** What each finished step gave, by its name, as far as the journal is whole. */
function stepsOf(root: string, loopId: string, damaged: DamagedPart[]): ReadonlyMap<string, unknown> {
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

/** A loop that says it runs while nobody holds the repository was killed. */
function statusOf(root: string, loopId: string, state: LoopState | null): LoopRecord['status'] {
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

/** A text among the settings that the loop began with. */
function settingOf(state: LoopState | null, name: string): string | undefined {
  const { config } = (state?.options ?? {}) as { readonly config?: Readonly<Record<string, unknown>> };
  const value = config?.[name];
  return typeof value === 'string' ? value : undefined;
}
