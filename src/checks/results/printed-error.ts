import type { ReportedError } from './test-report.ts';

const HEADLINE = /^(?:.{0,40}: |Uncaught )?(\w*(?:Error|Exception))\b([^\n:]*): ([^\n]+)/m;
const MAX_CHARS = 2_000;

/**
 * The uncaught error that a program printed: the first line with an error class, and the frames below it. Without such
 * a line the message is the end of the text.
 */
export function parsePrintedError(text: string): ReportedError {
  const headline = HEADLINE.exec(text);
  if (headline === null) return { message: text.trim().slice(-MAX_CHARS), stack: text.slice(-MAX_CHARS) };
  const [, name, place, message] = headline;
  return { name, message: `${message}${place!.trimEnd()}`, stack: text.slice(0, 2 * MAX_CHARS) };
}
