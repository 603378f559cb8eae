const PARTS = /^.*?\.[cm]?[jt]sx?: (?<before>.*) → (?<after>.*) @[0-9a-f]+$/s;
const CUT = '…';
const NOTHING = '(nothing)';
const TOKENS =
  /(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<sign>\?\.|\?\?|&&|\|\||=>|\+\+|--|\*\*|[-+*/%<>=!]=+|[<>]{2,3}|[^\s])/gu;
/** Words that mean the same in every file. */
const OWN_WORDS =
  /^(?:await|async|break|const|continue|delete|else|false|for|if|in|instanceof|let|new|null|of|return|this|throw|true|typeof|undefined|void|while|[A-Z]\w*)$/;
/** Numbers that mean something by themselves. */
const OWN_NUMBERS = /^[012]$/;

interface Token {
  readonly text: string;
  /** May be called otherwise in another file. */
  readonly isLocal: boolean;
}

/**
 * What an edit does, without the names of the place where it does it: `i <= n → i < n` and `low <= top → low < top`
 * have the shape `<= → <`, and `f(a, b) → f(b, a)` that of each other swap. From an edit's signature; undefined for
 * one whose text was cut.
 */
export function shapeOf(signature: string): string | undefined {
  const { before, after } = PARTS.exec(signature)?.groups ?? {};
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
  let behindDot = false;
  return [...side.matchAll(TOKENS)].map(({ 0: text, groups }) => {
    const isName = groups?.name !== undefined && !behindDot && !OWN_WORDS.test(text);
    const isValue = groups?.text !== undefined || (groups?.number !== undefined && !OWN_NUMBERS.test(text));
    behindDot = text === '.' || text === '?.';
    return { text, isLocal: isName || isValue };
  });
}

/** What differs: without the tokens with which both begin, and those with which both end. */
function withoutCommon(before: readonly Token[], after: readonly Token[]): [Token[], Token[]] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head]!.text === after[head]!.text) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail)!.text === after.at(-1 - tail)!.text) tail++;
  return [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
}

/** The same name is the same placeholder on both sides. */
function generalise({ text, isLocal }: Token, placeholders: Map<string, string>): string {
  if (!isLocal) return text;
  const known = placeholders.get(text);
  if (known !== undefined) return known;
  const placeholder = `#${placeholders.size + 1}`;
  placeholders.set(text, placeholder);
  return placeholder;
}
