import { aroundCut } from '../text/bounded-text.ts';

/**
 * Keeps head and tail of a program's output of any length in constant memory. The bytes are decoded (UTF-8, invalid
 * bytes replaced) only at the end, because strings that are dropped again would fill the memory first.
 */
export class BoundedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #room: number;
  /** Pieces of the tail in the order of arrival; those before `#first` are dropped. */
  #tail: Buffer[] = [];
  #first = 0;
  #tailBytes = 0;
  #total = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
    this.#room = this.#half;
  }

  append(bytes: Buffer): void {
    this.#total += bytes.length;
    // Buffers lie outside of V8's heap, and V8 collects them only when its heap grows: this string makes it grow.
    bytes.toString('latin1', 0, bytes.length);
    if (this.#room > 0) {
      const head = bytes.subarray(0, this.#room);
      this.#head.push(head);
      this.#room -= head.length;
      bytes = bytes.subarray(head.length);
    }
    if (bytes.length === 0 || this.#half === 0) return;
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    this.#dropOld();
  }

  toString(): string {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail.slice(this.#first));
    if (this.#total === head.length + tail.length && tail.length <= this.#half)
      return Buffer.concat([head, tail]).toString();
    const [start, end] = aroundCut(head.toString(), tail.subarray(tail.length - this.#half).toString());
    const left = this.#total - Buffer.byteLength(start) - Buffer.byteLength(end);
    return `${start}\n[… ${left} bytes left out …]\n${end}`;
  }

  /** True once bytes between head and tail are left out. */
  get isCut(): boolean {
    const kept = this.#head.reduce((sum, piece) => sum + piece.length, 0);
    return this.#total > kept + this.#half;
  }

  /** Drops pieces that are not part of the last half. */
  #dropOld(): void {
    while (this.#tailBytes - this.#tail[this.#first]!.length >= this.#half) {
      this.#tailBytes -= this.#tail[this.#first]!.length;
      this.#tail[this.#first] = NONE;
      this.#first += 1;
    }
    if (this.#first * 2 < this.#tail.length) return;
    this.#tail = this.#tail.slice(this.#first);
    this.#first = 0;
  }
}

const NONE = Buffer.of();
