import { expect, it } from 'vitest';
import { processItems } from '../../../bench/datasets/pool.ts';

const { signal } = new AbortController();
const onResult = (): void => {};

it('returns results in the order of the items, and passes them on in the order of completion', async () => {
  const gates = [Promise.withResolvers(), Promise.withResolvers()];
  const seen: number[] = [];
  const done = processItems(
    [0, 1],
    async (item) => {
      await gates[item]!.promise;
      return item;
    },
    { jobs: 2, signal, onResult: (item) => seen.push(item) },
  );
  gates[1]!.resolve(undefined);
  await new Promise(setImmediate);
  gates[0]!.resolve(undefined);
  expect(await done).toEqual([0, 1]);
  expect(seen).toEqual([1, 0]);
});

it('processes at most `jobs` items at a time', async () => {
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
  };
  await processItems([1, 2, 3, 4, 5], work, { jobs: 2, signal, onResult });
  expect(most).toBe(2);
});

it('returns the finished results when it is stopped', async () => {
  const controller = new AbortController();
  const work = async (item: number): Promise<number> => {
    if (item === 2) controller.abort();
    controller.signal.throwIfAborted();
    return item;
  };
  expect(await processItems([1, 2, 3], work, { jobs: 1, signal: controller.signal, onResult })).toEqual([1]);
});

it('rejects with the first error if it is not stopped', async () => {
  const work = (): Promise<never> => Promise.reject(new Error('broken'));
  await expect(processItems([1], work, { jobs: 1, signal, onResult })).rejects.toThrow('broken');
});
