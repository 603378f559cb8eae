/** Names and values as a record, as pairs, or as another map of headers has them. */
export type HeaderSource =
  Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<readonly string[]>;

/**
 * What is used here of the Fetch standard's `Headers` (§2.2): names without regard to capitals, values of one name
 * joined by commas. Node's own loads the whole of its fetch, which takes 50 ms of CPU time at its first use; what a
 * name and a value may hold is checked by node:http when they are sent.
 */
export class HeaderMap {
  readonly #values = new Map<string, string>();

  constructor(source: HeaderSource = []) {
    const pairs = Symbol.iterator in source ? source : Object.entries(source);
    for (const [name, value] of pairs as Iterable<
      readonly [string, string | readonly string[] | undefined]
    >) {
      if (value !== undefined) this.append(name, typeof value === 'string' ? value : value.join(', '));
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim());
  }

  append(name: string, value: string): void {
    const earlier = this.get(name);
    this.set(name, earlier === null ? value : `${earlier}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(use: (value: string, name: string, map: HeaderMap) => void): void {
    for (const [name, value] of this) use(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}
