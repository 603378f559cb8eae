/** Lines that stand for others which the writer did not want to repeat: dots, or a comment in so many words. */
const DOTS =
  /^\s*(?:(?:\/\/|\/\*+|#|<!--|--|\{\/\*)\s*(?:\.{3}|…)\s*|(?:\.{3}|…)\s+)\(?(?:the\s+)?(?:rest|remain|existing|unchanged|omitted|other|previous|same)/i;
const WORDS =
  /^\s*(?:\/\/|\/\*+|#|<!--|\{\/\*)\s*(?:.*\b(?:rest|remainder) of (?:the |your )?(?:file|code|class|module|component|function|implementation)\b|existing (?:code|imports|functions?|methods?|tests)\b)/i;
/** A text that is this much shorter than a file of some length is an excerpt, not the file. */
const LEAST_SHARE = 0.3;
const LONG_LINES = 30;

/** Why a text is no whole file that could replace `before`; undefined where it may. */
export function objectionToWhole(before: string, text: string, wasCut: boolean): string | undefined {
  if (wasCut) return 'only parts of the file were shown, so it cannot be written anew; give edit blocks.';
  const elided = text
    .split('\n')
    .find((line) => (DOTS.test(line) || WORDS.test(line)) && !before.includes(line.trim()));
  if (elided !== undefined)
    return `"${elided.trim().slice(0, 80)}" stands for lines that are left out; give edit blocks.`;
  const [now, was] = [text, before].map((one) => one.trimEnd().split('\n').length) as [number, number];
  return was >= LONG_LINES && now < was * LEAST_SHARE
    ? `${now} lines for ${was} look like an excerpt; give edit blocks.`
    : undefined;
}
