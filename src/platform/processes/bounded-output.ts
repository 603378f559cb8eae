import { aroundCut } from '../text/bounded-text.ts';

/**
 * Keeps the head and the tail of what a program prints, of any length, in flat memory: bytes are only read as text
 * (UTF-8, anything else replaced) at the end, because texts that are thrown away again would fill the memory first.
 */
export class BoundedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #room: number;
  /** Pieces of the tail as they came; those before `#first` are forgotten. */
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
    // V8 looks for dead buffers when its own heap has grown, and what a flood brings lies outside of it.
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
    this.#forget();
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

  /** Pieces that are not needed for the last half. */
  #forget(): void {
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
