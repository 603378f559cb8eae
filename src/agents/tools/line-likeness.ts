const MAX_CHARS = 400;
/** Two lines that differ in nothing but white space at their ends or before them. */
const SAME_BUT_WHITE_SPACE = 0.99;

/** How alike two lines are, 0..1; 1 only where they are equal. */
export function sameness(a: string, b: string): number {
  return a === b ? 1 : likenessTo(b)(a, 0);
}

/**
 * Compares many lines with one: the Dice coefficient of their pairs of neighbouring characters, white space at both
 * ends apart. Gives 0 at once where the lengths alone keep it below `least`. Beyond 400 characters nothing is compared.
 */
export function likenessTo(wanted: string): (line: string, least: number) => number {
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

/** Two code units as one number. */
function pairAt(text: string, at: number): number {
  return text.charCodeAt(at - 1) * 65_536 + text.charCodeAt(at);
}
