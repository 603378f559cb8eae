import { stripVTControlCharacters } from 'node:util';
import type { ReportedError } from './test-report.ts';

const HEADLINE = /^(?:.{0,40}: |Uncaught )?(\w*(?:Error|Exception))\b([^\n:]*): ([^\n]+)/m;
/**
 * How Node prints an uncaught error that has no stack, as where a program sets `Error.stackTraceLimit` to 0: the place, its line of
 * code with a mark below it, and the error in brackets.
 */
const WITHOUT_STACK =
  /^(\S[^\n]*):(\d+)\n[^\n]*\n( *)\^+[^\n]*\n\s*\[(\w*(?:Error|Exception))\b[^\n:]*: ([^\n]+)\]\n+Node\.js v\S+\s*(?![\s\S])/m;
const MAX_CHARS = 2_000;

/**
 * The uncaught error that a program printed: the first line with an error class, and the frames below it. Without such
 * a line the message is the end of the text.
 */
export function parsePrintedError(text: string): ReportedError {
  const [, file, line, indent, kind, words] = WITHOUT_STACK.exec(text) ?? [];
  if (words !== undefined)
    return { name: kind, message: words, stack: `    at ${file}:${line}:${indent!.length + 1}` };
  const headline = HEADLINE.exec(text);
  if (headline === null) return { message: text.trim().slice(-MAX_CHARS), stack: text.slice(-MAX_CHARS) };
  const [, name, place, message] = headline;
  return { name, message: `${message}${place!.trimEnd()}`, stack: text.slice(0, 2 * MAX_CHARS) };
}

/** Lines of no use as a cause. A seed and a duration differ from run to run. */
const FRAME =
  /^\s*at |^Node\.js v|^Randomized with seed |^(Finished|Done) in |^\s*\^+\s*$|^(npm|pnpm|yarn) (error|ERR!|warn)|^\s*[{}\])]+,?\s*$/i;
/** A line with a letter or a digit: no rule of dashes. */
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** A sentence about something that is missing, cannot be read or is not clear. */
const MISSING =
  /^.*\b(?:(?:couldn't|could not|cannot|can't|unable to|failed to) (?:find|load|resolve|read|fetch|open|determine)|(?:doesn't|does not) exist)\b.*$/im;
const MAX_CAUSE_CHARS = 400;

/**
 * The last words of a tool that failed, as one line with a remedy where there is a usual one: the uncaught error, else
 * the last line that is no stack frame and says something of its own. Empty for an empty text.
 */
export function printedCause(output: string): string {
  const text = stripVTControlCharacters(output);
  const headline = HEADLINE.exec(text);
  const last = text.split('\n').findLast((line) => SAYS_SOMETHING.test(line) && !FRAME.test(line));
  return withRemedy(headline?.[3] ?? MISSING.exec(text)?.[0] ?? last ?? '');
}

const STACK_FRAME = /^\s*at .*[:(<]/;
/** Lines at the end of a text that are looked through for a stack. */
const END_LINES = 12;
/** Lines between an error and its first frame, such as a list of required files. */
const LINES_ABOVE = 8;

/**
 * The error of a program that ended by a crash: the message above the stack that the text ends with, or one without a stack, as
 * one line with a remedy where there is a usual one. Undefined where the text ends in another way.
 */
export function printedCrash(output: string): string | undefined {
  const text = stripVTControlCharacters(output);
  const bare = WITHOUT_STACK.exec(text)?.[5];
  if (bare !== undefined) return withRemedy(bare);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isFrame = (line: string | undefined): boolean => STACK_FRAME.test(line ?? '');
  if (lines.slice(-END_LINES).filter(isFrame).length < 3) return undefined;
  const last = lines.findLastIndex(isFrame);
  const above = lines.slice(0, last).findLastIndex((line) => !isFrame(line));
  const message = lines
    .slice(Math.max(0, above - LINES_ABOVE), above + 1)
    .findLast((line) => HEADLINE.test(line));
  return message === undefined ? undefined : withRemedy(HEADLINE.exec(message)![3]!);
}

function withRemedy(words: string): string {
  const cause = words.trim().replace(/\.$/, '').slice(0, MAX_CAUSE_CHARS);
  const remedy = remedyFor(cause);
  return remedy === undefined ? cause : `${cause}. ${remedy}`;
}

function remedyFor(cause: string): string | undefined {
  const missing = /Cannot find (?:module|package) '([^']+)'/.exec(cause)?.[1];
  if (missing === undefined) return undefined;
  if (/(^|[\\/])(dist|build|lib|out)[\\/]/.test(missing)) return 'Is it built? Try its build script';
  return /^[./\\]/.test(missing) ? undefined : 'Is it installed? Try the install command';
}
