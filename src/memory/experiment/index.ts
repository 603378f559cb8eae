/**
 * The experiment that measures what memory changes: of the loops that memory has something for, one in n runs without
 * it, and each lesson is withheld from one in n, at random. `ralph analyze` compares the loops; a lesson that does not
 * measurably help is archived.
 */
import { randomUUID } from 'node:crypto';
import type { LoopEnd } from '../../ports/memory.ts';
import type { MemoryTrial, WithheldMemory } from '../../schema/generated.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { drawTrial, seededNumbers } from './draw.ts';
import { judgeWithheld } from './judge.ts';
import { settleTrial, trialOf } from './trials.ts';

export interface ExperimentSettings {
  /** One loop in n, and each lesson in one loop in n; below 2: never. */
  readonly oneIn: number;
  /** Default: random. */
  readonly seed?: string | undefined;
  /** Withheld loops after which a lesson is judged; 0: never. */
  readonly restAfter: number;
}

/**
 * Draws what a loop is not told, once in its life. `lessons`: ids of those that it would be told and that may be
 * withheld. Undefined if nothing is withheld. Throws RalphError where the disk refuses.
 */
export async function withholdFrom(
  repositoryRoot: string,
  loopId: string,
  { lessons, settings }: { readonly lessons: readonly string[]; readonly settings: ExperimentSettings },
): Promise<WithheldMemory | undefined> {
  const { oneIn, seed = randomUUID() } = settings;
  if (oneIn < 2) return undefined;
  const { arm, withheld } = await trialOf(repositoryRoot, loopId, (earlier): MemoryTrial => {
    const random = seededNumbers(`${seed}\0${earlier}`);
    const drawn = drawTrial({ oneIn, lessons, earlier, random });
    const open = { passed: null, attempts: null, tried: null };
    return { loop_id: loopId, at: new Date().toISOString(), one_in: oneIn, ...drawn, ...open };
  });
  if (arm === 'untold') return { all: true };
  return withheld === null ? undefined : { all: false, lesson: withheld };
}

/** Ends of a loop that say nothing about memory. */
const WITHOUT_RESULT: ReadonlySet<LoopEnd['status']> = new Set(['aborted', 'error', 'nothing_to_do']);

/** Stores the result of a loop that has ended by itself, and judges the lesson that it was not told. Rejects as the store does. */
export async function concludeTrial(
  repositoryRoot: string,
  end: LoopEnd,
  { lessons, settings }: { readonly lessons: LessonStore; readonly settings: ExperimentSettings },
): Promise<void> {
  if (settings.oneIn < 2 || WITHOUT_RESULT.has(end.status)) return;
  const { loopId, passedIn, tried } = end;
  const hasPassed = passedIn !== undefined;
  const trials = await settleTrial(repositoryRoot, loopId, {
    passed: hasPassed,
    attempts: passedIn ?? null,
    tried: hasPassed ? (tried ?? null) : null,
  });
  const iteration = Math.max(0, end.attempts - 1);
  await judgeWithheld(lessons, { loopId, iteration, trials, restAfter: settings.restAfter });
}
