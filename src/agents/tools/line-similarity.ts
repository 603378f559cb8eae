const MAX_CHARS = 400;
/** The similarity of two lines that differ only in leading or trailing white space. */
const SAME_BUT_WHITE_SPACE = 0.99;

/** The similarity of two lines, 0..1; 1 only if they are equal. */
export function lineSimilarity(a: string, b: string): number {
  return a === b ? 1 : similarityTo(b)(a, 0);
}

/**
 * Returns a function that compares lines with `wanted`: the Sørensen–Dice coefficient of their character bigrams,
 * without leading and trailing white space. Returns 0 early if the lengths alone keep it below `least`. Only the first
 * 400 characters are compared.
 */
export function similarityTo(wanted: string): (line: string, least: number) => number {
  const target = wanted.trim().slice(0, MAX_CHARS);
  const counts = pairsOf(target);
  return (line, least) => {
    const text = line.trim().slice(0, MAX_CHARS);
    if (text === target) return SAME_BUT_WHITE_SPACE;
    const [most, sum] = [Math.min(text.length, target.length) - 1, text.length + target.length - 2];
    if (most < 1 || (2 * most) / sum < least) return 0;
    return Math.min((2 * sharedPairs(text, counts)) / sum, SAME_BUT_WHITE_SPACE);
  };
}

function sharedPairs(text: string, counts: ReadonlyMap<number, number>): number {
  const used = new Map<number, number>();
  let shared = 0;
  for (let at = 1; at < text.length; at++) {
    const pair = pairAt(text, at);
    const available = counts.get(pair);
    if (available === undefined) continue;
    const taken = used.get(pair) ?? 0;
    if (taken >= available) continue;
    used.set(pair, taken + 1);
    shared++;
  }
  return shared;
}

function pairsOf(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 1; at < text.length; at++) {
    const pair = pairAt(text, at);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** Two UTF-16 code units as one number. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at);
}
