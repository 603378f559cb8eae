/** Most words of a text that are compared. */
export const MAX_WORDS = 400;

/** The words that a text has in the place of other ones of the base, as pairs of texts. */
export function changedWords(before: string, after: string): [string, string][] {
  const [was, now] = [wordsOf(before), wordsOf(after)];
  if (was.length > MAX_WORDS || now.length > MAX_WORDS) return [];
  const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');
  return differences(was, now).map(([from, to, wasFrom, wasTo]) => [
    textOf(was.slice(wasFrom, wasTo)),
    textOf(now.slice(from, to)),
  ]);
}

/** A word of a text, with its offsets; `end` is exclusive. */
export interface Word {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const WORD =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|=>|\.\.\.|\?\.|[=!<>]=+|&&|\|\||\?\?|\*\*|\+\+|--|[^\s]/gu;

/** Names, numbers, literals and signs of a text, without spaces. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word,
    at: index,
    end: index + word.length,
  }));
}

/** A range of words that differ, as indexes: first and last (exclusive) of the new ones, then of the old ones. */
export type Difference = [from: number, to: number, wasFrom: number, wasTo: number];

/** The ranges of words that differ. */
export function differences(before: readonly Word[], after: readonly Word[]): Difference[] {
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i * width + j] =
        before[i]!.text === after[j]!.text
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const found: Difference[] = [];
  let [i, j, from, wasFrom] = [0, 0, 0, 0];
  const close = (): void => {
    if (j > from || i > wasFrom) found.push([from, j, wasFrom, i]);
  };
  while (i < before.length && j < after.length) {
    if (before[i]!.text === after[j]!.text) {
      close();
      [i, j] = [i + 1, j + 1];
      [from, wasFrom] = [j, i];
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) i++;
    else j++;
  }
  [i, j] = [before.length, after.length];
  close();
  return found;
}
