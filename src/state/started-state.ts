import type { LoopState } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { scanJournal } from './journal.ts';

/** First step of the journal; its result is the loop's state before the baseline. */
export const START_STEP = 'start';

/** The first state in a loop's journal, with the number of attempts that the journal has; undefined if it is unreadable. */
export function startedState(repositoryRoot: string, loopId: string): LoopState | undefined {
  const steps = stepsOf(ralphFolder(repositoryRoot).journal(loopId));
  const checked = validate('loop-state', steps.get(START_STEP));
  if (!checked.ok || checked.value.loop_id !== loopId) return undefined;
  const iteration = [...steps.keys()].filter((step) => /^\d+:evaluate$/.test(step)).length;
  return { ...checked.value, iteration };
}

function stepsOf(path: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(scanJournal(path).records.map(({ step, data }) => [step, data]));
  } catch {
    return new Map();
  }
}
