const MARK = /[\p{P}\p{S}]/gu;

/**
 * Punctuation and symbols in a text, without duplicates. None is a letter or digit of any language, an underscore, or half an
 * emoji, which no file can hold.
 */
export function punctuationIn(text: string): string[] {
  const marks = text.match(MARK) ?? [];
  return [...new Set(marks)].filter((mark) => mark.length === 1 && mark !== '_');
}
