import { expect, it } from 'vitest';
import { workThrough } from '../../../bench/datasets/pool.ts';

const { signal } = new AbortController();
const onResult = (): void => {};

it('gives results in the order of the items, whatever ends first', async () => {
  const gates = [Promise.withResolvers(), Promise.withResolvers()];
  const seen: number[] = [];
  const done = workThrough(
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

it('never works on more items than it may', async () => {
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
  };
  await workThrough([1, 2, 3, 4, 5], work, { jobs: 2, signal, onResult });
  expect(most).toBe(2);
});

it('ends with what is there when it is stopped', async () => {
  const controller = new AbortController();
  const work = async (item: number): Promise<number> => {
    if (item === 2) controller.abort();
    controller.signal.throwIfAborted();
    return item;
  };
  expect(await workThrough([1, 2, 3], work, { jobs: 1, signal: controller.signal, onResult })).toEqual([1]);
});

it('rejects with what went wrong otherwise', async () => {
  const work = (): Promise<never> => Promise.reject(new Error('broken'));
  await expect(workThrough([1], work, { jobs: 1, signal, onResult })).rejects.toThrow('broken');
});
