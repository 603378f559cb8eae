/** Items of one source, best first, of which none is better than `most`. */
export interface SortedSource<T> {
  readonly most: number;
  /** Opens the source; costly, so that it happens only when one of its items could be the next one. */
  readonly open: () => Promise<Iterator<T>>;
}

interface OpenSource<T> {
  readonly items: Iterator<T>;
  next: T;
}

/** The items of all sources, best first. */
export async function* bestFirst<T extends { readonly order: number }>(
  sources: readonly SortedSource<T>[],
): AsyncGenerator<T> {
  const waiting = sources.toSorted((a, b) => b.most - a.most);
  const open = new Set<OpenSource<T>>();
  for (;;) {
    const best = bestOf(open);
    const [source] = waiting;
    if (source !== undefined && source.most > (best?.next.order ?? -1)) {
      waiting.shift();
      const items = await source.open();
      const { done, value } = items.next();
      if (done !== true) open.add({ items, next: value });
      continue;
    }
    if (best === undefined) return;
    yield best.next;
    const { done, value } = best.items.next();
    if (done === true) open.delete(best);
    else best.next = value;
  }
}

function bestOf<T extends { readonly order: number }>(
  open: ReadonlySet<OpenSource<T>>,
): OpenSource<T> | undefined {
  let best: OpenSource<T> | undefined;
  for (const source of open) if (best === undefined || source.next.order > best.next.order) best = source;
  return best;
}
