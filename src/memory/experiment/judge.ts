import { plural } from '../../platform/text/plural.ts';
import type { AnalysisEffect, Lesson, MemoryTrial } from '../../schema/generated.ts';
import type { LessonStore } from '../lessons/contract.ts';
import { RESTED } from '../lessons/status-reasons.ts';
import { hasEnded, lessonEffect } from './effect.ts';
import { mayBeWithheld } from '../lessons/may-be-withheld.ts';

/** A loop that has ended, and all trials with it. */
export interface JudgeRequest {
  readonly loopId: string;
  /** 0-based number of its last attempt. */
  readonly iteration: number;
  readonly trials: readonly MemoryTrial[];
  /** Withheld loops after which a lesson is judged, and each time after as many more; 0: never. */
  readonly restAfter: number;
}

/**
 * Judges the lesson that a loop was not told, when it has been withheld from a full number of loops: one that helps has
 * support, which confirms staged advice; one that does not is archived with the figures. Rejects where the store does.
 */
export async function judgeWithheld(lessons: LessonStore, request: JudgeRequest): Promise<void> {
  const { loopId, iteration, trials, restAfter } = request;
  const id = trials.find(({ loop_id }) => loop_id === loopId)?.withheld ?? null;
  if (id === null || restAfter === 0) return;
  const without = trials.filter((trial) => trial.withheld === id && hasEnded(trial)).length;
  const effect = lessonEffect(id, trials);
  if (without === 0 || without % restAfter !== 0 || effect.told.n < restAfter) return;
  const lesson = (await lessons.list()).find((one) => one.id === id);
  if (lesson === undefined || !mayBeWithheld(lesson)) return;
  if (!effect.helps) await lessons.archive(id, restReason(effect));
  else if (isAdvice(lesson)) await lessons.count([{ lessonId: id, effect: 'support', loopId, iteration }]);
}

/** Advice has no other test of truth. */
function isAdvice({ claim }: Lesson): boolean {
  return claim === undefined || claim.kind === 'advice';
}

function restReason({ told, untold }: AnalysisEffect): string {
  return (
    `${RESTED}: ${told.part} of ${plural(told.n, 'loop')} passed with it and ${untold.part} of ${untold.n} without, ` +
    `and no figure is measurably better with it.`
  );
}
