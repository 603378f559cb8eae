/** Results of an asynchronous function by key: those of the keys that were asked for last. A failure is not kept. */
export interface RecentResults<Result> {
  get(key: string, make: () => Promise<Result>): Promise<Result>;
}

/** `most`: number of results that are kept. */
export function recentResults<Result>(most: number): RecentResults<Result> {
  const results = new Map<string, Promise<Result>>();
  return {
    get(key, make) {
      const result = results.get(key) ?? make();
      // Moves the entry to the end: the first one is the least recently used.
      results.delete(key);
      results.set(key, result);
      if (results.size > most) results.delete(results.keys().next().value!);
      result.catch(() => {
        if (results.get(key) === result) results.delete(key);
      });
      return result;
    },
  };
}
