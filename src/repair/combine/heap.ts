/** A priority queue: `pop` returns the item with the highest score; of equal scores the one with the lowest rank. */
export class Heap<T extends { readonly score: number; readonly rank: number }> {
  readonly #items: T[] = [];

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!precedes(item, items[above]!)) break;
      items[at] = items[above]!;
      at = above;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && precedes(items[below + 1]!, items[below]!)) below++;
      if (!precedes(items[below]!, item)) break;
      items[at] = items[below]!;
      at = below;
    }
    items[at] = item;
  }
}

function precedes(
  a: { readonly score: number; readonly rank: number },
  b: { readonly score: number; readonly rank: number },
): boolean {
  return a.score > b.score || (a.score === b.score && a.rank < b.rank);
}
