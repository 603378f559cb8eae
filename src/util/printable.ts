/** Control characters, and the format characters that reorder or hide text: bidi, zero-width, tags. */
const DANGEROUS = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text from a repository, a program or a model, safe to show: what a terminal would act on is shown escaped. */
export function printable(text: string): string {
  return text.replace(DANGEROUS, (character) =>
    character === '\n' || character === '\t' ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
