import { describe, expect, it } from 'vitest';
import { bestFirst } from '../../../src/repair/strategy/best-first.ts';

const sourceOf = (opened: string[], name: string, orders: readonly number[], most = orders[0]!) => ({
  most,
  open: async () => {
    opened.push(name);
    return orders.map((order) => ({ name, order })).values();
  },
});

describe('bestFirst', () => {
  it('merges the items of all sources, and opens a source only when one of its items could be next', async () => {
    const opened: string[] = [];
    const sources = [
      sourceOf(opened, 'c', [0.1]),
      sourceOf(opened, 'a', [0.9, 0.5, 0.2]),
      sourceOf(opened, 'b', [0.6, 0.3], 0.7),
    ];
    const items: string[] = [];
    for await (const { name, order } of bestFirst(sources)) {
      items.push(`${name} ${order}`);
      if (items.length === 1) expect(opened).toEqual(['a']);
      if (items.length === 4) expect(opened).toEqual(['a', 'b']);
    }
    expect(items).toEqual(['a 0.9', 'b 0.6', 'a 0.5', 'b 0.3', 'a 0.2', 'c 0.1']);
  });

  it('gives nothing for sources without items', async () => {
    for await (const item of bestFirst([sourceOf([], 'a', [], 1)])) expect(item).toBeUndefined();
  });
});
