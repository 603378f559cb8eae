/**
 * Keeps head and tail of a text of any length in constant memory, and counts the characters between them.
 * `limit` is in UTF-16 code units.
 */
export class BoundedText {
  readonly #limit: number;
  #head = '';
  /** Pieces of the tail in the order of arrival; those before `#first` are dropped. */
  #tail: string[] = [];
  #first = 0;
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
    if (text === '' || half === 0) return;
    const kept = text.length > half ? text.slice(-half) : text;
    this.#tail.push(kept);
    this.#tailLength += kept.length;
    this.#dropOld(half);
  }

  toString(): string {
    const kept = this.#tail.slice(this.#first).join('');
    if (this.#total === this.#head.length + kept.length && this.#total <= this.#limit)
      return this.#head + kept;
    const half = Math.floor(this.#limit / 2);
    const [head, tail] = aroundCut(this.#head, half === 0 ? '' : kept.slice(-half));
    const cut = this.#total - head.length - tail.length;
    return `${head}\n[… ${cut} characters left out …]\n${tail}`;
  }

  /** Drops pieces that are not part of the last `half` code units. */
  #dropOld(half: number): void {
    while (this.#tailLength - this.#tail[this.#first]!.length >= half) {
      this.#tailLength -= this.#tail[this.#first]!.length;
      this.#tail[this.#first] = '';
      this.#first += 1;
    }
    if (this.#first * 2 < this.#tail.length) return;
    this.#tail = this.#tail.slice(this.#first);
    this.#first = 0;
  }
}

const TOKEN_AT_END = /[\w+/=.~-]*$/;
const TOKEN_AT_START = /^[\w+/=.~-]*/;
const LONGEST_TOKEN = 300;

/**
 * Head and tail of a text, without half a token or half a character at the cut. Half of a key no longer has the shape
 * by which redaction recognises it, so it must not be shown.
 */
export function aroundCut(head: string, tail: string): [head: string, tail: string] {
  return [withoutHalfAtEnd(head.replace(/\uFFFD+$/, '')), withoutHalfAtStart(tail.replace(/^\uFFFD+/, ''))];
}

function withoutHalfAtEnd(text: string): string {
  const half = TOKEN_AT_END.exec(text.slice(-LONGEST_TOKEN))![0];
  return isTokenLike(half) ? text.slice(0, -half.length) : text;
}

function withoutHalfAtStart(text: string): string {
  const half = TOKEN_AT_START.exec(text.slice(0, LONGEST_TOKEN))![0];
  return isTokenLike(half) ? text.slice(half.length) : text;
}

function isTokenLike(half: string): boolean {
  return half.length >= 6 && half.length < LONGEST_TOKEN && /\d/.test(half) && /[A-Za-z]/.test(half);
}

/** The text; if longer than `limit`, its head and tail with a line between them that counts what was left out. */
export function boundText(text: string, limit: number): string {
  const bounded = new BoundedText(limit);
  bounded.append(text);
  return bounded.toString();
}
