import { codeSpan } from '../platform/text/code-span.ts';
import type { Diagnostic } from '../schema/generated.ts';

/** Types whose rule is an error code of a tool, not the name of a test. */
const STATIC: ReadonlySet<Diagnostic['type']> = new Set([
  'syntax_error',
  'type_error',
  'lint_error',
  'other',
]);

/** Name that test runners' reports give a file that could not be run as a whole. */
const WHOLE_FILE = '(file)';

/** A place in a file of the repository. */
export interface Place {
  /** Relative to the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly function?: string;
}

/** Text of a tool or an actor as one line of at most `limit` characters, without control characters. */
export function oneLine(text: string, limit = 160): string {
  const flat = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const characters = [...flat];
  return characters.length <= limit ? flat : `${characters.slice(0, limit - 1).join('')}…`;
}

/** `src/a.ts:3`. */
export function renderPlace({ file, line }: Place): string {
  return line === undefined ? oneLine(file) : `${oneLine(file)}:${line}`;
}

/** Code of a repository as a code span of one line, with at most `limit` characters of the code. */
export function shownCode(code: string, limit = 80): string {
  return codeSpan(oneLine(code, limit));
}

/** `` `parse` in src/a.ts:3 ``. */
export function renderFunctionPlace(place: Place): string {
  return place.function === undefined
    ? renderPlace(place)
    : `${shownCode(place.function)} in ${renderPlace(place)}`;
}

/** Text of a tool as part of a sentence: one line without a full stop at its end. */
export function clause(text: string, limit = 160): string {
  return oneLine(text, limit).replace(/[.\s]+$/, '');
}

/** Name of a failure: its test, its rule or error code, or its type. */
export function failureName({ type, rule, test_id, check }: Diagnostic): string {
  const name = rule ?? test_id;
  if (name === undefined || name === WHOLE_FILE) return `a ${type === 'other' ? 'failure' : type.replace('_', ' ')} of "${oneLine(check, 60)}"`;
  return STATIC.has(type) ? oneLine(name, 100) : `the test "${shownTitle(name)}"`;
}

/** Characters of a shown test title. */
const TITLE_CHARS = 100;

/** A title of a test; of a long one, the innermost parts. */
function shownTitle(name: string): string {
  const parts = oneLine(name, Infinity).split(' > ');
  while (parts.length > 1 && parts.join(' > ').length > TITLE_CHARS) parts.shift();
  return oneLine(parts.join(' > '), TITLE_CHARS);
}

/** A failure with name, place, and its values or message: `TS2345 at src/cart.ts:30 (…)`. */
export function describeFailure(failure: Diagnostic): string {
  const { file, line, expected, received, message } = failure;
  const at = file === undefined ? '' : ` at ${renderPlace({ file, line })}`;
  const valued = expected !== undefined && received !== undefined;
  return `${failureName(failure)}${at} ${valued ? describeResult(failure) : `(${firstSentence(message)})`}`;
}

/** Characters of a shown value, and of a quoted message. */
const VALUE_CHARS = 80;
const MESSAGE_CHARS = 140;

/** `expected 3 but received 2`, or `reports "…"` for a failure without values. */
function describeResult({ expected, received, message }: Diagnostic): string {
  if (expected !== undefined && received !== undefined) {
    return `expected ${oneLine(expected, VALUE_CHARS)} but received ${oneLine(received, VALUE_CHARS)}`;
  }
  return `reports "${firstSentence(message)}"`;
}

/** First line of a message that only announces the next one: that the report is missing, or that a file does not parse. */
const ANNOUNCEMENT = /\bwithout a report \(exit code \d+\)\.?$|^Transform failed with \d+ errors?:$/;

/** The first sentence of a message's first telling line, without its full stop, at most 140 characters. */
export function firstSentence(message: string): string {
  const lines = message.split('\n').filter((text) => text.trim() !== '');
  const line = lines.find((text) => !ANNOUNCEMENT.test(text.trim())) ?? lines[0] ?? '';
  return clause(line.replace(/(?<=[\w)'"\]]{2})\.\s+(?=[A-Z]).*$/, ''), MESSAGE_CHARS);
}

/**
 * Lines of code before and after an edit as two code spans of at most `limit` characters, around the first difference; an
 * empty text for no code. Undefined where they differ only in white space.
 */
export function renderEditSides(
  before: string,
  after: string,
  limit: number,
): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = [before, after].map((code) => oneLine(code, Infinity)) as [string, string];
  if (withoutBlanks(before) === withoutBlanks(after)) return undefined;
  const shared = [...from].findIndex((character, index) => character !== to[index]);
  const isLong = from !== '' && to !== '' && Math.max(from.length, to.length) > limit && shared > limit / 2;
  const side = (text: string): string => shownCode(isLong ? `…${text.slice(shared - LEAD)}` : text, limit);
  return { from: side(from), to: side(to) };
}

/** Code without white space outside its strings. */
function withoutBlanks(code: string): string {
  return code.replace(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`)|\s+/g, (_, literal?: string) => literal ?? '');
}

/** Characters before the first difference of two long texts that are shown. */
const LEAD = 30;

/** Joins items to `a`, `a and b` or `a, b and 3 more`, naming at most `most`. */
export function joinList(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

/** Words that a sentence may begin with; any other first word may be a name, such as the rule `eqeqeq`. */
const FIRST_WORDS =
  /^(the|an?|it|this|no|all|in|compare|do|find|fix|follow|leave|make|need|print|run|work|write) /;

/** Capitalises a text that begins with a known word; names of rules, files, error codes and tests are kept. */
export function capitalise(text: string): string {
  return FIRST_WORDS.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** True for a file with tests: by its path, or because the failing test is in it. */
export function isTestFileOf({ test_id: id }: Diagnostic, file: string): boolean {
  return isTestFile(file) || id?.startsWith(`${file} > `) === true;
}

/** True for paths that common test runners recognise as tests. */
export function isTestFile(file: string): boolean {
  return /(^|\/)(__tests__|tests?|specs?)\/|[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)test[._-][^/]*$/.test(file);
}
