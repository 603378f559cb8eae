import type { LoopState } from '../schema/generated.ts';
import { validate } from '../schema/validate.ts';
import { ralphPath } from '../platform/ralph-folder.ts';
import { scanJournal } from './journal.ts';

/** The journal's first step: the loop's state before its baseline. */
export const START_STEP = 'start';

/** The state that a loop's journal began with, and how many attempts it has; undefined where it cannot be read. */
export function startedState(repositoryRoot: string, loopId: string): LoopState | undefined {
  const steps = stepsOf(ralphPath(repositoryRoot, 'loops', loopId, 'journal.jsonl'));
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
