/** Below it a text says the same again and again. */
export const LEAST_UNIQUE = 0.4;
/** Shorter texts say nothing about their variety. */
const LEAST_WORDS = 20;

/** Share of different words among all words of a text, 0..1; 1 for a text without words. */
export function uniqueWordRatio(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? 1 : new Set(words).size / words.length;
}

/** A sentence where a playbook has become repetitive. */
export function healthWarnings(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const ratio = uniqueWordRatio(text);
  if (words.length < LEAST_WORDS || ratio >= LEAST_UNIQUE) return [];
  return [
    `The playbook repeats itself: ${ratio.toFixed(2)} of its words are different, and ${LEAST_UNIQUE} is the least.`,
  ];
}
