import { plural } from '../../platform/text/plural.ts';

/** Placeholders for omitted lines: an ellipsis, or a comment such as "rest of the file". */
const DOTS =
  /^\s*(?:(?:\/\/|\/\*+|#|<!--|--|\{\/\*)\s*(?:\.{3}|…)\s*|(?:\.{3}|…)\s+)\(?(?:the\s+)?(?:rest|remain|existing|unchanged|omitted|other|previous|same)/i;
const WORDS =
  /^\s*(?:\/\/|\/\*+|#|<!--|\{\/\*)\s*(?:.*\b(?:rest|remainder) of (?:the |your )?(?:file|code|class|module|component|function|implementation)\b|existing (?:code|imports|functions?|methods?|tests)\b)/i;
/** A text with a smaller share of the lines of a long file is taken for an excerpt. */
const MIN_SHARE = 0.3;
/** The number of lines from which a file is long. */
const LONG_LINES = 30;

/** The problem that keeps a text from replacing the file `before`; undefined if there is none. */
export function wholeFileProblem(before: string, text: string, wasCut: boolean): string | undefined {
  if (wasCut) return 'only parts of the file were shown, so it cannot be replaced; use edit blocks.';
  const elided = text
    .split('\n')
    .find((line) => (DOTS.test(line) || WORDS.test(line)) && !before.includes(line.trim()));
  if (elided !== undefined)
    return `"${elided.trim().slice(0, 80)}" stands for omitted lines; use edit blocks.`;
  const [now, was] = [text, before].map((one) => one.trimEnd().split('\n').length) as [number, number];
  return was >= LONG_LINES && now < was * MIN_SHARE
    ? `${plural(now, 'line')} instead of ${was} look like an excerpt; use edit blocks.`
    : undefined;
}
