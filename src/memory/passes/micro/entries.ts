import type { Observation, Trajectory } from '../../../schema/generated.ts';
import { observationText } from '../observe/text.ts';
import { oneLine } from '../common/one-line.ts';
import { ENTRY_CHARS } from './triggers.ts';

/** One line of a session. */
export interface MicroEntry {
  /** Ascending within a loop; attempt 1 (iteration 0) begins at 0. */
  readonly position: number;
  readonly author: 'user' | 'tool' | 'checks' | 'actor';
  readonly text: string;
}

/** Positions of one attempt. */
const STRIDE = 1000;
const MOST_ACTIONS = 200;

/**
 * What happened in an attempt, line by line: what the user wants, what the actor did and said, what the checks
 * found. Without the trajectory, as far as the observation tells.
 */
export function entriesOf(observation: Observation, task: string, trajectory?: Trajectory): MicroEntry[] {
  const lines: Omit<MicroEntry, 'position'>[] = [
    ...(observation.iteration === 0
      ? sentencesOf(task).map((text) => ({ author: 'user', text }) as const)
      : []),
    ...(trajectory === undefined ? [] : actorLines(trajectory)),
    ...observationText(observation)
      .split('\n')
      .map((text) => ({ author: /^(changed|ran) /.test(text) ? 'tool' : 'checks', text }) as const),
  ];
  return lines
    .map(({ author, text }) => ({ author, text: oneLine(text, ENTRY_CHARS) }))
    .filter(({ text }) => text !== '')
    .slice(0, STRIDE)
    .map((entry, index) => ({ position: observation.iteration * STRIDE + index, ...entry }));
}

/** Position behind everything of an attempt; `iteration` is 0-based. */
export function endOfAttempt(iteration: number): number {
  return iteration * STRIDE + STRIDE - 1;
}

/** Sentences and lines of a text. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+(?=[A-Z`"])|\n+/)
    .map((sentence) => oneLine(sentence, ENTRY_CHARS))
    .filter((sentence) => sentence !== '');
}

/** Commands are what a tool ran; descriptions and last words are the actor's own. */
function actorLines({ actions, rationale, message }: Trajectory): Omit<MicroEntry, 'position'>[] {
  return [
    ...actions
      .slice(-MOST_ACTIONS)
      .flatMap(({ description, command }): Omit<MicroEntry, 'position'>[] => [
        { author: 'actor', text: description },
        ...(command === undefined ? [] : [{ author: 'tool', text: `ran ${command}` } as const]),
      ]),
    { author: 'actor', text: rationale },
    { author: 'actor', text: message },
  ];
}
