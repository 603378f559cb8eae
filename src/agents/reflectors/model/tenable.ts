import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { statementWordsProblem } from '../../../prompts/allowed/allow.ts';
import { policyProblem } from '../../../prompts/policy.ts';
import { parseHunks } from '../../../platform/text/patch-hunks.ts';
import { PLACE, type AttemptRecord } from './attempt-record.ts';
import { contradiction } from './contradiction.ts';
import { wrongConstructs } from './constructs.ts';
import { placeProblem } from './grounding.ts';
import { identifiersIn, namedIn, numbersIn, type Named } from './names.ts';

/**
 * Words of what was done or seen: edits, results, runs, counts, comparisons with another attempt. Of these ralph has the record,
 * and says them itself.
 */
const SEEN =
  /\b(my|me|we|attempts?|tests?|suites?|specs?|checks?|assertions?|fail\w*|fix(?:ed|es)?|broke|broken|solved|repaired|reward|score|traced?|tracing|execut\w+|ran|runs?|reached|receiv\w+|got|pass(?:ed|es)?(?! [^.]*\b(?:to|into|through|as|on)\b)|green|red|lint(?:er|ing)?|type.?check\w*|compil\w+|diff|patch|edit(?:s|ed)?|changed|removed|deleted|added|renamed|reverted|moved)\b|\b(?:never|always|not) (?:called|used|evaluated|entered|hit|visited|loaded)\b|\bthe same \w+ (?:value|failure|error|result)|\b(?:same|as) (?:as )?before\b|\b(?:with|after) (?:it|this|that)\b|\bnow\b/i;

function hasSeenWords(text: string): boolean {
  return SEEN.test(text) || /\bI\b/.test(text);
}

/** Words after which a sentence says what the code should be, not what it is. */
const WANTED =
  /\b(where|but|should|must|needs?|needed|would|could|ought|instead of|rather than|expected|wanted|required|correct|right)\b/i;

/** A result for given values, which nobody has seen: `total / n` is 4 for 10 and 3. */
const COMPUTED =
  /`(?: (?:in|at|on) \S+)? (?:is|was|gives|returns|yields|equals|becomes|evaluates to) `?-?\d[\d.]*`? (?:for|with|when|if)\b/;

/** Characters of the longest sentence of a model that is kept. */
const MOST_CHARS = 400;

/**
 * True if a sentence may be told as a guess about the code: it says nothing of what was done or seen, and every file, line, name,
 * number and quotation in it exists in the record, and agrees with the place that it stands beside.
 */
export function isTenableGuess(sentence: string, record: AttemptRecord): boolean {
  if (COMPUTED.test(sentence)) return false;
  if (sentence.length > MOST_CHARS || hasSeenWords(withoutCode(sentence))) return false;
  if (dangerIn(sentence) !== undefined || policyProblem(sentence) !== undefined) return false;
  if (statementWordsProblem(sentence, record.tree) !== undefined) return false;
  if (contradiction(sentence, record) !== undefined) return false;
  return wrongNames(sentence, record).length === 0;
}

/** The names in a sentence about the code that do not exist, or stand elsewhere than the sentence says. */
function wrongNames(sentence: string, record: AttemptRecord): string[] {
  const places = placesIn(sentence, record);
  const problem = places.flatMap(({ file, line }) => placeProblem(file, line?.toString(), record));
  if (problem.length > 0) return problem;
  const named = namedIn(sentence);
  const from = sentence.search(WANTED);
  const stated = named.filter(({ at }) => from === -1 || at < from);
  const unknown = named.filter((one) => !exists(one, places, record));
  const misplaced = stated.filter((one) => !fitsPlace(one, { sentence, places, record }));
  return [
    ...[...unknown, ...misplaced].map(({ text }) => `It names ${text}, which is not where it says.`),
    ...unknownNumbers(sentence, places, record).map((number) => `It names ${number}, which occurs nowhere.`),
    ...wrongCalls(sentence, places),
    ...wrongConstructs(sentence, places),
  ];
}

export interface NamedPlace {
  readonly file: string;
  readonly line: number | undefined;
  readonly at: number;
  /** The text of the file after the attempt, with the lines that the attempt removed. */
  readonly text: string;
  /** The lines around `line`, of both trees. */
  readonly near: string;
}

/** Lines above and below a named line in which a name may stand. */
const AROUND = 2;

/** The places that a sentence names, with their text. */
function placesIn(sentence: string, { sources, files, input }: AttemptRecord): NamedPlace[] {
  return [...sentence.matchAll(PLACE)].map((match) => {
    const name = match[1]!;
    const line = match[2] === undefined ? undefined : Number(match[2]);
    const file = [...files].find((one) => one === name || one.endsWith(`/${name}`)) ?? name;
    const lines = sources.linesOf(file) ?? [];
    const hunks = parseHunks(input.patch).filter((hunk) => hunk.file === file);
    const removed = hunks.flatMap((hunk) => hunk.removed).join('\n');
    const edited = hunks.filter((hunk) => line !== undefined && Math.abs(hunk.line - line) <= AROUND + 1);
    const shown = line === undefined ? [] : lines.slice(Math.max(0, line - 1 - AROUND), line + AROUND);
    return {
      file,
      line,
      at: match.index,
      text: `${lines.join('\n')}\n${removed}`,
      near: [...shown, ...edited.flatMap((hunk) => [...hunk.removed, ...hunk.added])].join('\n'),
    };
  });
}

/** True if a name occurs in the record or in a file that the sentence names; of code, all its identifiers. */
function exists({ text, kind }: Named, places: readonly NamedPlace[], { facts }: AttemptRecord): boolean {
  const texts = [facts, ...places.map((place) => place.text)];
  const occurs = (part: string): boolean => texts.some((one) => hasWord(one, part));
  if (kind === 'value') return occurs(text);
  if (kind === 'quote') return occurs(text) || (isCode(text) && identifiersIn(text).every(occurs));
  return identifiersIn(text).every(occurs);
}

/** A quoted text that is code rather than a value or the words of a message. */
function isCode(text: string): boolean {
  return /[=(){}[\]<>+*/%]/.test(text);
}

interface Context {
  readonly sentence: string;
  readonly places: readonly NamedPlace[];
  readonly record: AttemptRecord;
}

/** True unless a name stands directly before a place that does not have it, or in none of the named files. */
function fitsPlace({ text, at }: Named, { sentence, places, record }: Context): boolean {
  const identifiers = identifiersIn(text);
  const isIn = (code: string): boolean =>
    identifiers.length === 0
      ? squeezed(code).includes(squeezed(text))
      : identifiers.every((one) => hasWord(code, one));
  if (places.length === 0) return true;
  // The lines of a file that cannot be read are not known.
  if (places.some((place) => place.text.trim() === '')) return true;
  const beside = places.find(
    (place) =>
      place.at > at &&
      /^[`'")]*(?:\(\))? (?:at|in|on|of) (?:line )?$/.test(
        sentence.slice(at, place.at).replace(/^`[^`]*`|^'[^']*'|^[\w$.]+/, ''),
      ),
  );
  if (beside !== undefined) return isIn(beside.line === undefined ? beside.text : beside.near);
  return places.some((place) => isIn(place.text)) || isIn(record.input.patch);
}

const CALLS = /\bcalls? `?([A-Za-z_$][\w$]*)/g;

function wrongCalls(sentence: string, places: readonly NamedPlace[]): string[] {
  const readable = places.filter(({ text }) => text.trim() !== '');
  if (readable.length === 0) return [];
  return [...sentence.matchAll(CALLS)].flatMap(([, name]) =>
    readable.some(({ text }) =>
      new RegExp(`(?<!function )\\b${name!.replaceAll('$', '\\$')}\\s*\\(`).test(text),
    )
      ? []
      : [`It says that ${name} is called, but it is not.`],
  );
}

/** Numbers that neither occur in the record nor are computed from two others of the sentence. */
function unknownNumbers(sentence: string, places: readonly NamedPlace[], { facts }: AttemptRecord): number[] {
  const numbers = numbersIn(sentence);
  const texts = [facts, ...places.map(({ text }) => text)];
  const results = new Set(numbers.flatMap((a) => numbers.flatMap((b) => (a === b ? [] : resultsOf(a, b)))));
  return numbers.filter((number) => {
    const digits = String(number);
    return (
      !results.has(number) &&
      !texts.some((text) =>
        new RegExp(`(?<![\\d.])${digits.replace('.', '\\.')}(?![\\d.]*\\d)`).test(text.replaceAll('_', '')),
      )
    );
  });
}

function resultsOf(a: number, b: number): number[] {
  const results = [a + b, a - b, a * b, a / b, a % b];
  return results.flatMap((one) => [
    one,
    Math.floor(one),
    Math.ceil(one),
    Number(one.toFixed(1)),
    Number(one.toFixed(2)),
  ]);
}

function hasWord(text: string, word: string): boolean {
  const isName = /^[\w$]+$/.test(word);
  if (!isName) return squeezed(text).includes(squeezed(word));
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

function squeezed(text: string): string {
  return text.replace(/[\s…]+/g, '');
}

function withoutCode(sentence: string): string {
  return sentence
    .replace(/`[^`]*`/g, 'X')
    .replace(PLACE, 'X')
    .replace(/'[^']*'/g, 'X');
}
