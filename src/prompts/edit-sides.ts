import { redact } from '../platform/redaction/redact.ts';
import { hideComments } from '../platform/text/hide-comments.ts';
import { LEAD, MOST_READ, sharedStart, shownCode, visibleLine } from './phrases.ts';

/**
 * Lines of code before and after an edit as two code spans of at most `limit` characters, around the first difference; an
 * empty text for no code. Undefined where they differ only in white space, in comments, or in a secret, which are not shown.
 */
export function renderEditSides(
  before: string,
  after: string,
  limit: number,
): { readonly from: string; readonly to: string } | undefined {
  if (isOnlyLayout(before, after)) return undefined;
  const [removed, added] = cutAroundDifference(hideComments(before), hideComments(after), MOST_READ);
  const [from, to] = [visibleLine(removed), visibleLine(added)];
  const start = sharedStart(from, to);
  const isLong =
    from !== '' && to !== '' && Math.max([...from].length, [...to].length) > limit && start > limit / 2;
  const side = (text: string): string =>
    shownCode(isLong ? `…${[...text].slice(start - LEAD).join('')}` : text, limit);
  const sides = { from: side(from), to: side(to) };
  return sides.from === sides.to ? undefined : sides;
}

/** True for lines of code that differ only in white space. */
export function isOnlyLayout(before: string, after: string): boolean {
  return withoutBlanks(before) === withoutBlanks(after);
}

/**
 * Both texts without secrets and with at most `limit` characters each, around their first difference: of long ones with the same
 * beginning, the beginning is left out of both.
 */
export function cutAroundDifference(before: string, after: string, limit: number): [string, string] {
  const [from, to] = [redact(before), redact(after)];
  const start = Math.max(from.length, to.length) <= limit ? 0 : lineStart(from, sharedStart(from, to), limit);
  const cut = (text: string): string => [...text].slice(start, start + limit).join('');
  return [cut(from), cut(to)];
}

/** The beginning of the line of a difference; within a line that is too long, a place before the difference. */
function lineStart(text: string, at: number, limit: number): number {
  const characters = [...text].slice(0, at);
  const line = characters.lastIndexOf('\n') + 1;
  return at - line < limit / 2 ? line : at - limit / 2;
}

/** Code without white space outside its strings. */
function withoutBlanks(code: string): string {
  return code.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`)|\s+/g,
    (_, literal?: string) => literal ?? '',
  );
}
