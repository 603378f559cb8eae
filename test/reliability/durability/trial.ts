import { mapInParallel } from '../in-parallel.ts';
import type { Trial } from '../row.ts';

/** Makes one trial for each item, at most `jobs` at a time, in the order of the items. A trial that throws has failed. */
export async function tryAll<T>(
  items: readonly T[],
  jobs: number,
  attempt: (item: T) => Promise<Trial>,
  nameOf: (item: T) => string,
): Promise<Trial[]> {
  const tried = (item: T): Promise<Trial> =>
    attempt(item).catch((error: unknown) => ({
      name: nameOf(item),
      problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    }));
  return mapInParallel(items, tried, jobs);
}
