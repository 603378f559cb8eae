/** Ratio of distinct words below which a playbook is repetitive. */
const LEAST_UNIQUE = 0.4;
/** Texts with fewer words are not checked. */
const LEAST_WORDS = 20;

/** Distinct words ÷ all words of a text, 0..1; 1 for a text without words. */
export function uniqueWordRatio(text: string): number {
  const words = wordsIn(text);
  return words.length === 0 ? 1 : new Set(words).size / words.length;
}

/** A warning for a repetitive playbook; else empty. */
export function healthWarnings(text: string): string[] {
  const ratio = uniqueWordRatio(text);
  if (wordsIn(text).length < LEAST_WORDS || ratio >= LEAST_UNIQUE) return [];
  return [
    `The playbook is repetitive: the ratio of distinct words is ${ratio.toFixed(2)}, below ${LEAST_UNIQUE}.`,
  ];
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
