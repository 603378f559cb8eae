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
    if (this.#total === this.#head.length + this.#tailLength) return this.#head + this.#tail.join('');
    const head = withoutHalfAtEnd(this.#head);
    const tail = withoutHalfAtStart(this.#tail.join(''));
    const cut = this.#total - head.length - tail.length;
    return `${head}\n[… ${cut} characters left out …]\n${tail}`;
  }

  #compact(keep: number): void {
    const joined = this.#tail.join('').slice(-keep);
    this.#tail = [joined];
    this.#tailLength = joined.length;
  }
}

const TOKEN_AT_END = /[\w+/=.~-]*$/;
const TOKEN_AT_START = /^[\w+/=.~-]*/;
const LONGEST_TOKEN = 300;

/** Half of a key or a token has no shape that it could be known by: it is left out with the rest. */
function withoutHalfAtEnd(text: string): string {
  const half = TOKEN_AT_END.exec(text.slice(-LONGEST_TOKEN))![0];
  return isTelling(half) ? text.slice(0, -half.length) : text;
}

function withoutHalfAtStart(text: string): string {
  const half = TOKEN_AT_START.exec(text.slice(0, LONGEST_TOKEN))![0];
  return isTelling(half) ? text.slice(half.length) : text;
}

function isTelling(half: string): boolean {
  return half.length >= 6 && half.length < LONGEST_TOKEN && /\d/.test(half) && /[A-Za-z]/.test(half);
}

/** Head and tail of a text, with a line that says what was left out where it is longer than `limit`. */
export function boundText(text: string, limit: number): string {
  const bounded = new BoundedText(limit);
  bounded.append(text);
  return bounded.toString();
}
