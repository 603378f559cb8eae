import { redact } from '../platform/redaction/redact.ts';
import { LEFT_OUT, orderIn } from '../platform/redaction/unsafe-text.ts';
import { codeSpan } from '../platform/text/code-span.ts';
import { hideComments } from '../platform/text/hide-comments.ts';
import { printable } from '../platform/text/printable.ts';
import type { Diagnostic } from '../schema/generated.ts';
import { quotedMessage, quotedValue } from './quoted-output.ts';
import { FILE_CASE } from '../schema/file-case.ts';

/** Types whose rule is an error code of a tool, not the name of a test. */
const STATIC: ReadonlySet<Diagnostic['type']> = new Set([
  'syntax_error',
  'type_error',
  'lint_error',
  'other',
]);

/** Names that test runners' reports give errors outside of tests. */
const NO_TEST = /^(?:unhandled|uncaught) (?:error|rejection|exception)$/i;

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
  const name = orderIn(file) === undefined ? oneLine(file) : LEFT_OUT;
  return line === undefined ? name : `${name}:${line}`;
}

/**
 * Code of a repository as a code span of one line, with at most `limit` characters of the code, without the words of its comments;
 * nothing of code with a text that instructs its reader.
 */
export function shownCode(code: string, limit = 80): string {
  const told = hideComments(code);
  return orderIn(told.slice(0, MOST_READ)) === undefined ? codeSpan(visibleLine(told, limit)) : LEFT_OUT;
}

/** Code or a value as one line, in which what is there and not seen is shown escaped. */
export function visibleLine(text: string, limit = Infinity): string {
  return oneLine(printable(text.replace(/\s+/g, ' ').trim()), limit);
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
  if (name === undefined || name === FILE_CASE || NO_TEST.test(name))
    return `a ${type === 'other' ? 'failure' : type.replace('_', ' ')} of "${oneLine(check, 60)}"`;
  return STATIC.has(type) ? oneLine(name, 100) : `the test "${shownTitle(safeTitle(name))}"`;
}

/** Characters at either end of a title that are read, and of an edit around its difference. */
export const MOST_READ = 1000;

/** A title of a test; of an unsafe one nothing, since the rest of it would stand as a sentence of its own. */
export function safeTitle(name: string): string {
  const ends = name.length <= 2 * MOST_READ ? name : `${name.slice(0, MOST_READ)} ${name.slice(-MOST_READ)}`;
  return orderIn(ends) === undefined ? name : LEFT_OUT;
}

/** Characters of a shown test title. */
const TITLE_CHARS = 100;

/** A title of a test; of a long one, the innermost parts. */
function shownTitle(name: string): string {
  const parts = oneLine(name, Infinity).split(' > ');
  while (parts.length > 1 && parts.join(' > ').length > TITLE_CHARS) parts.shift();
  return oneLine(parts.join(' > '), TITLE_CHARS);
}

/**
 * Where a failure is reported: ` at src/cart.ts:30`. A file that could not be run is not where its error is, unless the report
 * has a line: ` when test/cart.test.ts runs`. Empty without a file.
 */
export function placeClause({ file, line, rule }: Diagnostic): string {
  if (file === undefined) return '';
  return rule === FILE_CASE && line === undefined
    ? ` when ${renderPlace({ file })} runs`
    : ` at ${renderPlace({ file, line })}`;
}

/** A failure with name, place, and its values or message: `TS2345 at src/cart.ts:30 (…)`. */
export function describeFailure(failure: Diagnostic): string {
  const { expected, received, message } = failure;
  const at = placeClause(failure);
  const valued = expected !== undefined && received !== undefined;
  return `${failureName(failure)}${at} ${valued ? describeResult(failure) : `(${quotedMessage(message, firstSentence)})`}`;
}

/** Characters of a shown value, and of a quoted message. */
const VALUE_CHARS = 80;
const MESSAGE_CHARS = 140;

/** `expected 3 but received 2`, or `reports "…"` for a failure without values. */
function describeResult({ expected, received, message }: Diagnostic): string {
  if (expected !== undefined && received !== undefined) {
    const [wanted, got] = shownValues(expected, received);
    return `expected ${wanted} but received ${got}`;
  }
  return `reports ${quotedMessage(message, firstSentence)}`;
}

/** Characters before the first difference of two long texts that are shown. */
export const LEAD = 30;

/**
 * Two values as lines of at most 80 characters each. Of longer ones the parts that differ are shown: of objects and lists the
 * members that only one of them has, whatever their order, of other texts what follows their first difference.
 */
export function shownValues(expected: string, received: string): [string, string] {
  const both = [visibleLine(redact(expected)), visibleLine(redact(received))] as const;
  if (Math.max(both[0].length, both[1].length) <= VALUE_CHARS)
    return [quotedValue(both[0]), quotedValue(both[1])];
  const members = [membersOf(redact(expected)), membersOf(redact(received))] as const;
  const own = (at: 0 | 1): string[] => members[at].filter((one) => !members[1 - at]!.includes(one));
  const parts = [own(0), own(1)] as const;
  if (members[0].length > 1 && members[1].length > 1 && parts[0].length + parts[1].length > 0)
    return [quotedValue(shownPart(parts[0])), quotedValue(shownPart(parts[1]))];
  const shared = sharedStart(...both);
  const from = shared > VALUE_CHARS / 2 ? shared - LEAD : 0;
  const cut = (text: string): string =>
    oneLine(from === 0 ? text : `…${[...text].slice(from).join('')}`, VALUE_CHARS);
  return [quotedValue(cut(both[0])), quotedValue(cut(both[1]))];
}

function shownPart(members: readonly string[]): string {
  return members.length === 0 ? '… nothing else …' : oneLine(`… ${members.join(', ')} …`, VALUE_CHARS);
}

/** The members of a printed object or list; a single one for any other text. */
function membersOf(printed: string): string[] {
  if (!/^["'`]?(?:\w+ )*(?:\w+\(\d+\) )?[{[]/.test(printed.trim())) return [printed];
  const body = printed.trim().replace(/^[^{[]*[{[]|[}\]]["'`]?$/g, '');
  return body
    .split(/\n|, (?=[\w"'[{-])/)
    .map((part) => part.trim().replace(/,$/, ''))
    .filter((part) => part !== '');
}

/** First line of a message that only announces the next one: that the report is missing, or that a file does not parse. */
const ANNOUNCEMENT = /\bwithout a report \(exit code \d+\)\.?$|^Transform failed with \d+ errors?:$/;

/** The first sentence of a message's first telling line, without its full stop, at most 140 characters. */
export function firstSentence(message: string): string {
  const lines = message.split('\n').filter((text) => text.trim() !== '');
  const line = lines.find((text) => !ANNOUNCEMENT.test(text.trim())) ?? lines[0] ?? '';
  return clause(line.replace(/(?<=[\w)'"\]]{2})\.\s+(?=[A-Z]).*$/, ''), MESSAGE_CHARS);
}

/** Characters that two texts have in common at their beginnings. */
export function sharedStart(one: string, other: string): number {
  const [characters, others] = [[...one], [...other]];
  const at = characters.findIndex((character, index) => character !== others[index]);
  return at === -1 ? characters.length : at;
}

/** Joins items to `a`, `a and b` or `a, b and 3 more`, naming at most `most`. */
export function joinList(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

/** Words that a sentence may begin with; any other first word may be a name, such as the rule `eqeqeq`. */
const FIRST_WORDS =
  /^(the|an?|it|this|no|all|in|check|compare|do|find|fix|follow|leave|look|make|need|print|run|search|take|work|write) /;

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
