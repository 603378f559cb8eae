/**
 * Processes items in order, `jobs` at a time, and passes each result to `onResult` as soon as it is there. Returns the
 * results in the order of the items. After the signal is aborted, no item is started and rejections are ignored.
 * Rejects with the first earlier rejection.
 */
export async function processItems<Item, Result>(
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
