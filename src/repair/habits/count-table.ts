const FIRST_SLOTS = 1 << 14;
const MOST_FULL = 0.6;

/**
 * Two counts for each key, in flat arrays: a map of as many keys would need ten times the memory. A key is two hashes of 32
 * bits, of which the first one finds the slot; two keys hardly ever share a count.
 */
export class CountTable {
  private slots = new Uint32Array(FIRST_SLOTS);
  private checks = new Uint32Array(FIRST_SLOTS);
  private counts = new Int32Array(FIRST_SLOTS);
  private kinds = new Int32Array(FIRST_SLOTS);
  private used = 0;

  /** The first count of a key; 0 for an unknown one. */
  countOf(slot: number, check: number): number {
    return this.counts[this.find(slot, check)]!;
  }

  /** The second count of a key; 0 for an unknown one. */
  kindsOf(slot: number, check: number): number {
    return this.kinds[this.find(slot, check)]!;
  }

  /** Adds to both counts of a key. */
  add(slot: number, check: number, count: number, kinds: number): void {
    let at = this.find(slot, check);
    if (this.isFree(at)) {
      if (this.used >= this.slots.length * MOST_FULL) {
        this.grow();
        at = this.find(slot, check);
      }
      this.used++;
      this.slots[at] = slot;
      this.checks[at] = check | 1;
    }
    this.counts[at]! += count;
    this.kinds[at]! += kinds;
  }

  /** The index of a key, or the free one that it may take. */
  private find(slot: number, check: number): number {
    const mask = this.slots.length - 1;
    const own = (check | 1) >>> 0;
    let at = slot & mask;
    while (!this.isFree(at) && (this.slots[at] !== slot >>> 0 || this.checks[at] !== own))
      at = (at + 1) & mask;
    return at;
  }

  /** The check of a used index is odd. */
  private isFree(at: number): boolean {
    return this.checks[at] === 0;
  }

  private grow(): void {
    const { slots, checks, counts, kinds } = this;
    const size = slots.length * 2;
    this.slots = new Uint32Array(size);
    this.checks = new Uint32Array(size);
    this.counts = new Int32Array(size);
    this.kinds = new Int32Array(size);
    for (let index = 0; index < slots.length; index++) {
      if (checks[index] === 0) continue;
      const at = this.find(slots[index]!, checks[index]!);
      this.slots[at] = slots[index]!;
      this.checks[at] = checks[index]!;
      this.counts[at] = counts[index]!;
      this.kinds[at] = kinds[index]!;
    }
  }
}
