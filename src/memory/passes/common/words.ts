const WORD = /[\p{L}\p{N}_$]+/gu;
/** Too common to say that two texts are about the same. */
const COMMON = new Set(
  'a an and are as at be by for from has have in is it its of on or that the this to was were will with not'.split(
    ' ',
  ),
);

/** The words of a text that tell, in lower case, each once. */
export function wordsOf(text: string): Set<string> {
  const words = (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 1 && !COMMON.has(word));
  return new Set(words);
}

/** Share of words that two texts have in common, 0..1 (Jaccard). */
export function likeness(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.size === 0 || right.size === 0) return 0;
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (left.size + right.size - common);
}

/** From this on two sentences say the same. */
export const SAME_FROM = 0.8;

/** Words are the same, or nearly: numbers must agree, since "at 3" and "at 4" differ in what matters. */
export function saysTheSame(a: string, b: string): boolean {
  const numbers = (text: string): string => (text.match(/\d+/g) ?? []).join(' ');
  return numbers(a) === numbers(b) && likeness(a, b) >= SAME_FROM;
}
