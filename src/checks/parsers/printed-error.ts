import type { ReportedError } from '../results/test-report.ts';

const HEADLINE = /^(?:.{0,40}: |Uncaught )?(\w*(?:Error|Exception))\b([^\n:]*): ([^\n]+)/m;
const MAX_CHARS = 2_000;

/**
 * The error that a program printed when it died, as Node prints uncaught errors: the first line that names an
 * error class, with the frames below it. Without one the text's end is the message.
 */
export function parsePrintedError(text: string): ReportedError {
  const headline = HEADLINE.exec(text);
  if (headline === null) return { message: text.trim().slice(-MAX_CHARS), stack: text.slice(-MAX_CHARS) };
  const [, name, place, message] = headline;
  return { name, message: `${message}${place!.trimEnd()}`, stack: text.slice(0, 2 * MAX_CHARS) };
}
