/**
 * Keeps the head and the tail of a text of any length in flat memory, and says how much it left out.
 * `limit` is in UTF-16 code units.
 */
export class BoundedText {
  readonly #limit: number;
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(text: string): void {
    this.#total += text.length;
    const half = Math.ceil(this.#limit / 2);
    const room = half - this.#head.length;
    if (room > 0) {
      this.#head += text.slice(0, room);
      text = text.slice(room);
    }
    if (text === '') return;
    const kept = text.length > half ? text.slice(-half) : text;
    this.#tail.push(kept);
    this.#tailLength += kept.length;
    if (this.#tailLength > this.#limit * 2) this.#compact(half);
  }

  toString(): string {
    this.#compact(Math.floor(this.#limit / 2));
    const cut = this.#total - this.#head.length - this.#tailLength;
    const tail = this.#tail.join('');
    return cut > 0 ? `${this.#head}\n[… ${cut} characters left out …]\n${tail}` : this.#head + tail;
  }

  #compact(keep: number): void {
    const joined = this.#tail.join('').slice(-keep);
    this.#tail = [joined];
    this.#tailLength = joined.length;
  }
}

/** Head and tail of a text, with a line that says what was left out where it is longer than `limit`. */
export function boundText(text: string, limit: number): string {
  const bounded = new BoundedText(limit);
  bounded.append(text);
  return bounded.toString();
}
