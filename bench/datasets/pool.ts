/**
 * Works through items in their order, `jobs` at a time, and hands out each result as it comes. Once the signal is
 * aborted nothing further is started, and what rejects then is dropped. Rejects with the first other rejection.
 */
export async function workThrough<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  how: { readonly jobs: number; readonly signal: AbortSignal; readonly onResult: (result: Result) => void },
): Promise<Result[]> {
  const waiting = items.entries();
  const results: [index: number, result: Result][] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (how.signal.aborted) return;
      try {
        const result = await work(item);
        results.push([index, result]);
        how.onResult(result);
      } catch (error) {
        if (!how.signal.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: how.jobs }, worker));
  return results.sort(([a], [b]) => a - b).map(([, result]) => result);
}
