/** A signature: `file: before → after @hash`. */
const SIGNATURE = /^.*?\.[cm]?[jt]sx?: (?<before>.*) → (?<after>.*) @[0-9a-f]+$/s;
/** Ends a side that was too long. */
const CUT = '…';
/** Stands for an empty side. */
const NOTHING = '(nothing)';
const TOKENS =
  /(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<sign>\?\.|\?\?|&&|\|\||=>|\+\+|--|\*\*|[-+*/%<>=!]=+|[<>]{2,3}|[^\s])/gu;
/** Keywords, literals and capitalised names, which mean the same in every file. */
const COMMON_WORDS =
  /^(?:await|async|break|const|continue|delete|else|false|for|if|in|instanceof|let|new|null|of|return|this|throw|true|typeof|undefined|void|while|[A-Z]\w*)$/;
/** Numbers that are kept, because replacing one by another is typical of off-by-one edits. */
const COMMON_NUMBERS = /^[012]$/;

interface Token {
  readonly text: string;
  /** A name or value that another file may spell differently. */
  readonly isLocal: boolean;
}

/**
 * The general form of an edit, with local names replaced by placeholders: `i <= n → i < n` and `low <= top → low < top`
 * both have the shape `<= → <`; every swap of two arguments has the same shape. Undefined for a signature whose text
 * was cut.
 */
export function shapeOf(signature: string): string | undefined {
  const { before, after } = SIGNATURE.exec(signature)?.groups ?? {};
  if (before === undefined || after === undefined) return undefined;
  if (before.endsWith(CUT) || after.endsWith(CUT)) return undefined;
  const [from, to] = withoutCommon(tokensOf(before), tokensOf(after));
  const placeholders = new Map<string, string>();
  const general = (tokens: readonly Token[]): string =>
    tokens.map((token) => generalise(token, placeholders)).join(' ');
  return `${general(from)} → ${general(to)}`;
}

function tokensOf(side: string): Token[] {
  if (side === NOTHING) return [];
  let isAfterDot = false;
  return [...side.matchAll(TOKENS)].map(({ 0: text, groups }) => {
    const isName = groups?.name !== undefined && !isAfterDot && !COMMON_WORDS.test(text);
    const isValue =
      groups?.text !== undefined || (groups?.number !== undefined && !COMMON_NUMBERS.test(text));
    isAfterDot = text === '.' || text === '?.';
    return { text, isLocal: isName || isValue };
  });
}

/** The tokens that differ, without the common prefix and suffix. */
function withoutCommon(before: readonly Token[], after: readonly Token[]): [Token[], Token[]] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head]!.text === after[head]!.text) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail)!.text === after.at(-1 - tail)!.text) tail++;
  return [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
}

/** The token's placeholder, the same for the same text on both sides; other tokens unchanged. */
function generalise({ text, isLocal }: Token, placeholders: Map<string, string>): string {
  if (!isLocal) return text;
  const known = placeholders.get(text);
  if (known !== undefined) return known;
  const placeholder = `#${placeholders.size + 1}`;
  placeholders.set(text, placeholder);
  return placeholder;
}
