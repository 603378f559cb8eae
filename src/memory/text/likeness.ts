const WORD = /[\p{L}\p{N}_$]+/gu;
/** Too common to indicate that two texts are about the same topic. */
const COMMON = new Set(
  'a an and are as at be by for from has have in is it its of on or that the this to was were will with not'.split(
    ' ',
  ),
);
/** Jaccard index from which two sentences count as the same. */
const SAME_FROM = 0.8;

/** The distinct words of a text in lower case, without common words and single characters. */
export function distinctWords(text: string): Set<string> {
  const words = (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 1 && !COMMON.has(word));
  return new Set(words);
}

/** Jaccard index of two sets: shared ÷ all members, 0..1; 0 where both are empty. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Jaccard index of the distinct words of two texts, 0..1. */
export function likeness(one: string, other: string): number {
  return jaccard(distinctWords(one), distinctWords(other));
}

/** True where nearly all words of two sentences agree and all numbers do: "at 3" and "at 4" differ. */
export function isSameSentence(one: string, other: string): boolean {
  const numbers = (text: string): string => (text.match(/\d+/g) ?? []).join(' ');
  return numbers(one) === numbers(other) && likeness(one, other) >= SAME_FROM;
}
