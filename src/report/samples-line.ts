import type { Sample } from '../schema/generated.ts';

/** One line on attempts that were made at the same time: which one stands for the attempt, and why others ended early. */
export function samplesLine(samples: readonly Sample[]): string {
  const chosen = samples.find((one) => one.chosen);
  const reasons = Map.groupBy(
    samples.filter(({ ended_early: why }) => why !== undefined),
    ({ ended_early: why }) => why,
  );
  const ended = [...reasons].map(([why, own]) => {
    const numbers = own.map(({ number }) => String(number));
    return `; ${numbers.length === 1 ? 'number' : 'numbers'} ${joined(numbers)} ended early: ${why}`;
  });
  return `number ${chosen?.number} of ${samples.length} stands for the attempt${ended.join('')}`;
}

function joined(numbers: readonly string[]): string {
  const last = numbers.at(-1)!;
  return numbers.length === 1 ? last : `${numbers.slice(0, -1).join(', ')} and ${last}`;
}
