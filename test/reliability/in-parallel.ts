/**
 * Calls `act` for every item, at most `jobs` at the same time (default 2, the cores of a small machine), and returns the
 * results in the order of the items. Rejects with the first rejection.
 */
export async function mapInParallel<T, R>(
  items: readonly T[],
  act: (item: T) => Promise<R>,
  jobs = 2,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await act(items[index]!);
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}
