import { describe, expect, it } from 'vitest';
import { recentResults } from '../../../src/workspace/snapshots/recent-results.ts';

describe('recent results', () => {
  it('are made once, also for two who ask at once, and dropped where others were asked for since', async () => {
    const made: string[] = [];
    const results = recentResults<string>(2);
    const get = (key: string): Promise<string> =>
      results.get(key, async () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect(await Promise.all([get('a'), get('a')])).toEqual(['A', 'A']);
    await get('b');
    await get('a');
    await get('c');
    expect(made).toEqual(['a', 'b', 'c']);
    await get('a');
    expect(made).toEqual(['a', 'b', 'c']);
    await get('b');
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('do not keep a failure', async () => {
    const results = recentResults<number>(2);
    await expect(results.get('a', () => Promise.reject(new Error('once')))).rejects.toThrow('once');
    expect(await results.get('a', async () => 1)).toBe(1);
  });
});
