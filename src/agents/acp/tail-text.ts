/** Keeps the end of a text in bounded memory. `limit` is in UTF-8 bytes; no character is cut in half. */
export class TailText {
  readonly #limit: number;
  #text = '';
  #cut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the beginning was dropped. */
  get isTruncated(): boolean {
    this.#compact();
    return this.#cut;
  }

  append(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * this.#limit + 65_536) this.#compact();
  }

  toString(): string {
    this.#compact();
    return this.#text;
  }

  #compact(): void {
    const bytes = Buffer.from(this.#text);
    if (bytes.length <= this.#limit) return;
    let start = bytes.length - this.#limit;
    while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
    this.#text = bytes.toString('utf8', start);
    this.#cut = true;
  }
}
