import type { RegexPart } from '../../syntax/regex-syntax.ts';

/** A changed pattern or quantifier and how natural the change is, 0..1. */
export type Changed = readonly [text: string, factor: number];

/** Other quantifiers for a part; empty for parts that cannot repeat. */
export function quantifiersFor({ kind, quantifier }: RegexPart): Changed[] {
  if (kind === 'anchor' || kind === 'open' || kind === 'bar' || kind === 'lookaround') return [];
  const bounds = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier);
  if (bounds !== null) {
    const [, low, comma, high] = bounds;
    return otherBounds(Number(low), comma !== '', high === '' ? undefined : Number(high));
  }
  const others = ['', '?', '*', '+', '*?', '+?'].filter((other) => other !== quantifier);
  const isBare = quantifier === '';
  return others
    .map((other): Changed => [
      other,
      isBare ? (other.length > 1 ? 0 : 0.4) : (FACTORS[quantifier + other] ?? 0.5),
    ])
    .filter(([, factor]) => factor > 0);
}

/** Replacements of `{low}`, `{low,}` (`hasComma`, no `high`) and `{low,high}`. */
function otherBounds(low: number, hasComma: boolean, high: number | undefined): Changed[] {
  const top = high ?? low;
  const bounds: readonly Changed[] = [
    [`{${low},}`, 0.7],
    [`{${low},${top + 1}}`, 0.6],
    [`{${Math.max(0, low - 1)},${top}}`, 0.6],
    [`{${low + 1},${hasComma && high === undefined ? '' : Math.max(top, low + 1)}}`, 0.5],
    [`{0,${top}}`, 0.4],
    [`{1,${top}}`, 0.5],
    [`{${low}}`, 0.5],
    [`{${top}}`, 0.4],
    ['', 0.4],
    ['+', 0.6],
    ['*', 0.5],
  ];
  return bounds.filter(([text]) => !text.startsWith('{0,0'));
}

/** By the old quantifier followed by the new one; 0.5 for any other exchange. */
const FACTORS: Readonly<Record<string, number>> = {
  '+*': 1,
  '*+': 0.9,
  '++?': 0.7,
  '**?': 0.7,
  '*?*': 0.6,
  '+?+': 0.6,
  '?': 0.6,
  '?*': 0.7,
  '?+': 0.5,
};
