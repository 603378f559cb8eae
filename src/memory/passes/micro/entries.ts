import { oneLine } from '../../../platform/text/one-line.ts';
import type { Observation, Trajectory } from '../../../schema/generated.ts';
import { renderObservation } from '../observe/render.ts';
import { opensReport, withoutQuotations } from './own-rules.ts';
import { ENTRY_CHARS } from './settings.ts';

/** One line of a session. */
export interface MicroEntry {
  /** Ascending within a loop; attempt 1 (iteration 0) begins at 0. */
  readonly position: number;
  /** `task`: a task that quotes somebody else, such as an issue; it is not the user's own word. */
  readonly author: 'user' | 'task' | 'tool' | 'checks' | 'actor';
  readonly text: string;
}

type Line = Omit<MicroEntry, 'position'>;

/** Number of positions per attempt. */
const STRIDE = 1000;
const MOST_ACTIONS = 200;

/**
 * The entries of an attempt: the user's task (first attempt only), the actor's actions and statements, the results of
 * the checks. Without a trajectory, only the content of the observation.
 */
export function entriesOf(observation: Observation, task: string, trajectory?: Trajectory): MicroEntry[] {
  const lines: Line[] = [
    ...(observation.iteration === 0 ? userLines(task) : []),
    ...(trajectory === undefined ? [] : actorLines(trajectory)),
    ...observationLines(observation),
  ];
  return lines
    .map(({ author, text }) => ({ author, text: oneLine(text, ENTRY_CHARS) }))
    .filter(({ text }) => text !== '')
    .slice(0, STRIDE)
    .map((entry, index) => ({ position: observation.iteration * STRIDE + index, ...entry }));
}

/** Last position of an attempt; `iteration` is 0-based. */
export function endOfAttempt(iteration: number): number {
  return iteration * STRIDE + STRIDE - 1;
}

/** The end of a sentence or line. */
const BREAK = /(?<=[.!?:\uE000])\s+(?=[A-Z`"'“«„‘\uE000])|\n+/g;

/** The sentences and lines of a text, each at most 240 characters; none ends within a quotation. */
function sentencesOf(text: string): string[] {
  const plain = withoutQuotations(text);
  const breaks = [...plain.matchAll(BREAK)].map((match) => match.index);
  return [0, ...breaks]
    .map((start, index) => oneLine(text.slice(start, breaks[index]), ENTRY_CHARS))
    .filter((sentence) => sentence !== '');
}

/**
 * Text from outside stands in a fence; a task that was cut may have lost its fence. After `Bob wrote:` the rest of the paragraph is
 * not the user's.
 */
function userLines(task: string): Line[] {
  const isForeign = task.includes('```') || task.endsWith('…');
  return task.split(/\n\s*\n/).flatMap((paragraph) => {
    let author: Line['author'] = isForeign ? 'task' : 'user';
    return sentencesOf(paragraph).map((text) => {
      const own = author;
      if (opensReport(text)) author = 'task';
      return { author: own, text };
    });
  });
}

/** Commands count as output of a tool, descriptions and closing texts as statements of the actor. */
function actorLines({ actions, rationale, message }: Trajectory): Line[] {
  const actionLines = actions.slice(-MOST_ACTIONS).flatMap(({ description, command }): Line[] => {
    const statement: Line = { author: 'actor', text: description };
    return command === undefined ? [statement] : [statement, { author: 'tool', text: `ran ${command}` }];
  });
  return [...actionLines, { author: 'actor', text: rationale }, { author: 'actor', text: message }];
}

function observationLines(observation: Observation): Line[] {
  return renderObservation(observation)
    .split('\n')
    .map((text) => ({ author: /^(changed|ran) /.test(text) ? 'tool' : 'checks', text }));
}
