/**
 * Keeps the head and the tail of a text of any length in flat memory, and says how much it left out.
 * `limit` is in UTF-16 code units.
 */
export class BoundedText {
  readonly #limit: number;
  #head = '';
  /** Pieces of the tail as they came; those before `#first` are forgotten. */
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
    this.#forget(half);
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

  /** Pieces that are not needed for the last `half` code units. */
  #forget(half: number): void {
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
 * What may be shown of a head and a tail with something cut out between them. Half of a key or a token has no shape
 * that it could be known by: it is left out with the rest, and so is half of a character.
 */
export function aroundCut(head: string, tail: string): [head: string, tail: string] {
  return [withoutHalfAtEnd(head.replace(/\uFFFD+$/, '')), withoutHalfAtStart(tail.replace(/^\uFFFD+/, ''))];
}

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
