import { stripVTControlCharacters } from 'node:util';
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

const FRAME = /^\s*at |^Node\.js v|^\s*\^+\s*$|^(npm|pnpm|yarn) (error|ERR!|warn)|^\s*[{}\])]+,?\s*$/i;
const MAX_CAUSE_CHARS = 400;

/**
 * The last words of a tool that failed, as one line with a remedy where there is a usual one: the uncaught error, else
 * the last line that is no stack frame. Empty for an empty text.
 */
export function printedCause(output: string): string {
  const text = stripVTControlCharacters(output);
  const headline = HEADLINE.exec(text);
  const words = headline?.[3] ?? text.split('\n').findLast((line) => line.trim() !== '' && !FRAME.test(line));
  const cause = (words ?? '').trim().replace(/\.$/, '').slice(0, MAX_CAUSE_CHARS);
  const remedy = remedyFor(cause);
  return remedy === undefined ? cause : `${cause}. ${remedy}`;
}

function remedyFor(cause: string): string | undefined {
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(cause)?.[1];
  if (missing === undefined) return undefined;
  if (/(^|[\\/])(dist|build|lib|out)[\\/]/.test(missing)) return 'Is it built? Try its build script';
  return /^[./\\]/.test(missing) ? undefined : 'Is it installed? Try the install command';
}
