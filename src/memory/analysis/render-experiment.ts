import type { Analysis, AnalysisDifference, AnalysisEffect } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import { interval, renderShare, signed } from './render-figures.ts';

/** Most lessons that are shown. */
const MOST_SHOWN = 5;

/** The experiment that withholds memory as lines; none before a loop of each kind has ended. */
export function experimentLines({ experiment: { memory, lessons } }: Analysis): string[] {
  const hasBoth = memory.told.n > 0 && memory.untold.n > 0;
  const hidden = lessons.length - MOST_SHOWN;
  return [
    ...(hasBoth ? effectLines(memory, 'memory') : []),
    ...lessons
      .slice(0, MOST_SHOWN)
      .flatMap(({ id, text, status, effect }) => [
        `${effect.helps ? 'helps' : 'no measured help'}${status === 'archived' ? ', archived' : ''}: ${text ?? id}`,
        ...effectLines(effect, 'it').map((line) => `  ${line}`),
      ]),
    ...(hidden > 0 ? [`${plural(hidden, 'other lesson')} not shown`] : []),
  ];
}

function effectLines({ told, untold, success, attempts, tried }: AnalysisEffect, what: string): string[] {
  const figure = (title: string, { value, low, high }: AnalysisDifference, text: string): string[] =>
    value === null || low === null ? [] : [`${title} ${text} ${interval(low, high)}`];
  return [
    `passed with ${what}: ${renderShare(told)}; without: ${renderShare(untold)}`,
    ...figure('difference of shares', success, signed(success.value ?? 0)),
    ...figure('attempts to success, difference', attempts, signed(attempts.value ?? 0)),
    ...figure('edits tried to success, ratio', tried, (tried.value ?? 0).toFixed(2)),
  ];
}
