import { oneLine } from '../../../platform/text/one-line.ts';
import type { Observation, Trajectory } from '../../../schema/generated.ts';
import { renderObservation } from '../observe/render.ts';
import { opensReport, PARAGRAPH, withoutQuotations } from './own-rules.ts';
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

/** The parts of a text between the places where its plain form is divided. */
function partsOf(plain: string, divider: RegExp): { readonly from: number; readonly to: number }[] {
  const places = [...plain.matchAll(divider)].map(({ index }) => index);
  return [0, ...places].map((from, index) => ({ from, to: places[index] ?? plain.length }));
}

/** A paragraph that is an item of a list. */
const ITEM = /^\s*(?:[-*•]|\d+[.)])\s/;

/**
 * The sentences and lines of a task, each at most 240 characters; none ends within a quotation. Text from outside stands in a fence;
 * a task that was cut may have lost its fence. After `Bob wrote:` the rest of the paragraph is not the user's, and at the end of a
 * paragraph the next one, with the items of a list.
 */
function userLines(task: string): Line[] {
  const isForeign = task.includes('```') || task.endsWith('…');
  const plain = withoutQuotations(task);
  let isOpen = false;
  return partsOf(plain, PARAGRAPH).flatMap(({ from, to }) => {
    const isReported = isOpen;
    let author: Line['author'] = isForeign || isReported ? 'task' : 'user';
    let last = '';
    const lines = partsOf(plain.slice(from, to), BREAK).flatMap((part) => {
      const text = oneLine(task.slice(from + part.from, from + part.to), ENTRY_CHARS);
      if (text === '') return [];
      const own = author;
      last = text;
      if (opensReport(text)) author = 'task';
      return { author: own, text };
    });
    isOpen = opensReport(last) || (isReported && ITEM.test(task.slice(from, to)));
    return lines;
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
