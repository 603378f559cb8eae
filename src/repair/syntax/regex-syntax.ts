/** A part of a regular expression's text, with how often it may come. Offsets are 0-based, `end` exclusive. */
export interface RegexPart {
  /** `open` and `close` are a group's brackets, `lookaround` the opening of a group that matches nothing itself. */
  readonly kind: 'character' | 'escape' | 'class' | 'open' | 'lookaround' | 'close' | 'bar' | 'anchor';
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Right after `end`; empty for once. */
  readonly quantifier: string;
}

/** Where alternatives end and what they are: of a group, or of the whole pattern. */
export interface Alternatives {
  /** Offset after the last one. */
  readonly at: number;
  /** How likely it is to lack one, 0..1. */
  readonly factor: number;
  /** Ranges that take an alternative and one of the bars beside it away; empty for a single one. */
  readonly items: readonly { readonly start: number; readonly end: number }[];
}

const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})\??`;
const CLASS = String.raw`\[\^?(?:\\[\s\S]|[^\]\\])*\]`;
const ESCAPE = String.raw`\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Z]|[\s\S])`;
const GROUP = String.raw`\((?:\?(?:<[=!]|[:=!]|<[^>]*>))?`;
const PART = new RegExp(`(${CLASS}|${ESCAPE}|${GROUP}|[\\s\\S])(${QUANTIFIER})?`, 'g');

/** The parts of a pattern, in order. Text that is no pattern gives parts all the same. */
export function partsOf(pattern: string): RegexPart[] {
  const parts: RegexPart[] = [];
  for (const { index, 1: text = '', 2: quantifier = '' } of pattern.matchAll(PART)) {
    const kind = kindOf(text);
    const takes = kind !== 'open' && kind !== 'lookaround' && kind !== 'bar';
    parts.push({ kind, start: index, end: index + text.length, text, quantifier: takes ? quantifier : '' });
  }
  return parts;
}

/** Every place of a pattern that holds alternatives or could: groups, and the whole. */
export function alternativesOf(pattern: string, parts: readonly RegexPart[]): Alternatives[] {
  const found: Alternatives[] = [];
  const open: { from: number; bars: number[] }[] = [{ from: 0, bars: [] }];
  const finish = (at: number): void => {
    const group = open.pop();
    if (group !== undefined) found.push(alternatives(group, at));
  };
  for (const { kind, start, end } of parts) {
    if (kind === 'open' || kind === 'lookaround') open.push({ from: end, bars: [] });
    if (kind === 'bar') open.at(-1)?.bars.push(start);
    if (kind === 'close' && open.length > 1) finish(start);
  }
  while (open.length > 1) open.pop();
  finish(pattern.endsWith('$') ? pattern.length - 1 : pattern.length);
  return found;
}

function alternatives({ from, bars }: { from: number; bars: readonly number[] }, at: number): Alternatives {
  const starts = [from, ...bars.map((bar) => bar + 1)];
  const items =
    bars.length === 0
      ? []
      : starts.map((start, index) => {
          const end = bars[index] ?? at;
          return index === 0 ? { start, end: end + 1 } : { start: start - 1, end };
        });
  return { at, factor: bars.length > 0 ? 1 : 0.3, items };
}

function kindOf(text: string): RegexPart['kind'] {
  if (text.startsWith('[') && text.length > 1) return 'class';
  if (/^\\[bB]$/.test(text)) return 'anchor';
  if (text.startsWith('\\')) return 'escape';
  if (/^\(\?<?[=!]$/.test(text)) return 'lookaround';
  if (text.startsWith('(')) return 'open';
  if (text === ')') return 'close';
  if (text === '|') return 'bar';
  return text === '^' || text === '$' ? 'anchor' : 'character';
}
