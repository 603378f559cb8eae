/** A piece of code that is not split further, with its range in the text. */
export interface Token {
  /** As written; a long string is replaced by a placeholder, and strings have the same quotes. */
  readonly text: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const PIECES =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<name>[\p{L}_$#@][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<quoted>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<sign>\?\.|\?\?=?|&&|\|\||=>|\+\+|--|\*\*|\.\.\.|[-+*/%<>=!]=+|[<>]{2,3}|[^\s;])|;/gu;
/** A longer string says little about the code around it. */
const LONG_STRING = 30;

/** The tokens of a text, in order, without comments and semicolons. Reads any text; what is no JavaScript gives some tokens. */
export function tokensIn(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index, groups } of text.matchAll(PIECES)) {
    const { name, number, quoted, sign } = groups!;
    if ((name ?? number ?? quoted ?? sign) === undefined) continue;
    tokens.push({
      text: quoted === undefined ? piece : asString(quoted),
      start: index,
      end: index + piece.length,
    });
  }
  return tokens;
}

function asString(quoted: string): string {
  return quoted.length > LONG_STRING ? "'…'" : `'${quoted.slice(1, -1)}'`;
}

/** A change of tokens, without what both sides begin and end with. */
export interface TokenChange {
  /** Number of tokens before the change. */
  readonly head: number;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** What differs between two lists of tokens. */
export function changeBetween(before: readonly string[], after: readonly string[]): TokenChange {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { head, from: before.slice(head, before.length - tail), to: after.slice(head, after.length - tail) };
}

/** A key of the tokens that a change takes out and brings in, wherever it is made. */
export function keyOfChange({ from, to }: Pick<TokenChange, 'from' | 'to'>): string {
  return `${from.join(' ')} → ${to.join(' ')}`;
}
