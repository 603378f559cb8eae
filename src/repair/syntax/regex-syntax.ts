import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A piece of a regular expression's text. Offsets are 0-based, `end` exclusive. */
export interface RegexPart {
  /** `open`, `lookaround` and `close` are the brackets of a group; a `lookaround` matches no text itself. */
  readonly kind: 'character' | 'escape' | 'class' | 'open' | 'lookaround' | 'close' | 'bar' | 'anchor';
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Follows at `end`; empty for exactly once. That of a group is at its `close`. */
  readonly quantifier: string;
  /** Source texts of a class's members, such as `a-z` or `\d`; empty for other parts. */
  readonly members: readonly string[];
}

/** The place in a group, or in the whole pattern, at which another alternative can be added. */
export interface Alternatives {
  /** Offset after the last alternative; in the whole pattern before a final `$`. */
  readonly at: number;
  /** How likely an alternative is missing, 0..1. */
  readonly factor: number;
  /** For each alternative the range that removes it together with one bar; empty if there is only one. */
  readonly items: readonly { readonly start: number; readonly end: number }[];
}

/** A pattern's parts in source order, and its groups from the inside out, the whole pattern last. */
export interface RegexSyntax {
  readonly parts: readonly RegexPart[];
  readonly alternatives: readonly Alternatives[];
}

type Branching = AST.Pattern | AST.Group | AST.CapturingGroup | AST.LookaroundAssertion;

const parser = new RegExpParser();

/** Reads a pattern without its slashes and flags; undefined for text that is no valid pattern. */
export function readRegex(pattern: string): RegexSyntax | undefined {
  const tree = parse(pattern);
  return tree && { parts: [...partsOfAlternatives(tree)], alternatives: alternativesOf(tree) };
}

/** Unicode mode rejects many patterns that are valid without the flag, so only its own escapes select it. */
function parse(pattern: string): AST.Pattern | undefined {
  for (const unicode of /\\[pPu]\{/.test(pattern) ? [true, false] : [false]) {
    try {
      return parser.parsePattern(pattern, 0, pattern.length, { unicode });
    } catch {
      // Not valid in this mode.
    }
  }
  return undefined;
}

function* partsOfAlternatives({ alternatives }: Branching): Generator<RegexPart> {
  for (const [index, { start, elements }] of alternatives.entries()) {
    if (index > 0)
      yield { kind: 'bar', start: start - 1, end: start, text: '|', quantifier: '', members: [] };
    for (const element of elements) {
      if (element.type !== 'Quantifier') yield* partsOfElement(element, '');
      else yield* partsOfElement(element.element, element.raw.slice(element.element.raw.length));
    }
  }
}

function* partsOfElement(
  element: Exclude<AST.Element, AST.Quantifier>,
  quantifier: string,
): Generator<RegexPart> {
  const { start, end, raw } = element;
  const whole = { start, end, text: raw, quantifier, members: [] };
  switch (element.type) {
    case 'Character':
    case 'CharacterSet':
    case 'Backreference':
      yield { ...whole, kind: raw.startsWith('\\') ? 'escape' : 'character' };
      return;
    case 'CharacterClass':
      yield { ...whole, kind: 'class', members: membersOf(element) };
      return;
    case 'Assertion':
      if (!('alternatives' in element)) yield { ...whole, kind: 'anchor' };
      else yield* partsOfGroup(element, quantifier, 'lookaround');
      return;
    case 'Group':
    case 'CapturingGroup':
      yield* partsOfGroup(element, quantifier, 'open');
      return;
    case 'ExpressionCharacterClass':
      // Only valid with the v flag, in which no pattern is parsed.
      return;
  }
}

function* partsOfGroup(
  group: Exclude<Branching, AST.Pattern>,
  quantifier: string,
  kind: 'open' | 'lookaround',
): Generator<RegexPart> {
  const { start, end, raw } = group;
  const inner = group.alternatives[0]!.start;
  yield { kind, start, end: inner, text: raw.slice(0, inner - start), quantifier: '', members: [] };
  yield* partsOfAlternatives(group);
  yield { kind: 'close', start: end - 1, end, text: ')', quantifier, members: [] };
}

/** A hyphen beside `\w` or the like is no range in the grammar, but is kept with its neighbours as if it were. */
function membersOf({ elements }: AST.CharacterClass): string[] {
  const members: string[] = [];
  for (let index = 0; index < elements.length; index++) {
    const [from, hyphen, to] = elements.slice(index, index + 3);
    const isPseudoRange = from!.type !== 'CharacterClassRange' && hyphen?.raw === '-' && to !== undefined;
    members.push(isPseudoRange ? from!.raw + hyphen.raw + to.raw : from!.raw);
    if (isPseudoRange) index += 2;
  }
  return members;
}

function alternativesOf(branching: Branching): Alternatives[] {
  const inner = branching.alternatives.flatMap(({ elements }) =>
    elements
      .map((element) => (element.type === 'Quantifier' ? element.element : element))
      .flatMap((element) => ('alternatives' in element ? alternativesOf(element) : [])),
  );
  const { alternatives } = branching;
  const at = endOf(branching);
  const items = alternatives.map(({ start, end }, index) =>
    index === 0 ? { start, end: end + 1 } : { start: start - 1, end: Math.min(end, at) },
  );
  const isSingle = alternatives.length === 1;
  return [...inner, { at, factor: isSingle ? 0.3 : 1, items: isSingle ? [] : items }];
}

/** Offset before the closing bracket; in a whole pattern before its final `$`. */
function endOf({ type, end, raw }: Branching): number {
  return type !== 'Pattern' || raw.endsWith('$') ? end - 1 : end;
}
