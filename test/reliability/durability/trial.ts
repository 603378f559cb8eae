import type { Row } from '../suite.ts';

/** One thing that was tried, and what did not hold; empty where all did. */
export interface Trial {
  readonly name: string;
  readonly problems: readonly string[];
}

const MOST_NAMED = 20;

/** The row of some trials; what did not hold is named, behind what is known not to. */
export function rowOf(what: string, trials: readonly Trial[], known: readonly string[] = []): Row {
  const failed = trials.filter(({ problems }) => problems.length > 0);
  const named = failed.slice(0, MOST_NAMED).map(({ name, problems }) => `${name}: ${problems.join('; ')}`);
  return { what, tried: trials.length, held: trials.length - failed.length, gaps: [...known, ...named] };
}

/** Runs trials, at most `jobs` at a time; what one throws did not hold. Order is kept. */
export async function tryAll<T>(
  items: readonly T[],
  jobs: number,
  attempt: (item: T) => Promise<Trial>,
  nameOf: (item: T) => string,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  const queue = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, item] = next;
      trials[index] = await attempt(item).catch((error: unknown) => ({
        name: nameOf(item),
        problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      }));
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return trials;
}
