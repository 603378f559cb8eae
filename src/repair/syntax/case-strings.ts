import { distanceTo } from './line-distance.ts';
import { parseSource } from './parse.ts';
import { punctuationIn } from './punctuation.ts';
import { calledName, sitesOf, type Site } from './walk.ts';

/** Strings of a test file, by the cases that they belong to, without duplicates. */
export interface CaseStrings {
  /** Of the lines where tests failed, and those that the failures or their titles name. */
  readonly failing: readonly string[];
  /** All others. */
  readonly others: readonly string[];
  /** Punctuation that the failing cases have and at most one other string has. */
  readonly marks: readonly string[];
  /** 1-based lines of strings that the title of a failing test names: the rows of a table. */
  readonly lines: readonly number[];
}

/** No strings. */
export const NO_STRINGS: CaseStrings = { failing: [], others: [], marks: [], lines: [] };

/** Where tests failed. */
export interface FailedAt {
  /** 1-based lines of the test file. */
  readonly lines: readonly number[];
  /** Strings that the messages quote. */
  readonly quoted: readonly string[];
  /** Titles of the tests. */
  readonly titles: readonly string[];
}

const NEAR_LINES = 1;
const LEAST_NAMED_CHARS = 3;
const MAX_MARKS = 4;
const MAX_STRINGS = 60;
/** Further titles of failing tests name no more strings than are kept. */
const MAX_TITLES = 200;

/** The strings of a test file; none if it does not parse. */
export function caseStrings(file: string, text: string, { lines, quoted, titles }: FailedAt): CaseStrings {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return NO_STRINGS;
  const isInTitle = titleTest(titles.slice(0, MAX_TITLES));
  const distance = distanceTo(lines);
  const quotes = new Set(quoted);
  const strings = sitesOf(parsed.tree.program).flatMap((site) => {
    const { node, key } = site;
    if (key === 'source' || !(node.type === 'StringLiteral' || node.type === 'TemplateElement')) return [];
    const value = node.type === 'StringLiteral' ? node.value : (node.value.cooked ?? '');
    const { line } = node.loc!.start;
    const isNamed = value.length >= LEAST_NAMED_CHARS && !isTitle(site) && isInTitle(value);
    const isNear = distance(line) <= NEAR_LINES;
    return [{ value, line, isNamed, isFailing: isNamed || isNear || quotes.has(value) }];
  });
  const valuesOf = (isFailing: boolean): string[] =>
    strings.filter((string) => string.isFailing === isFailing).map(({ value }) => value);
  const failing = [...new Set([...valuesOf(true), ...quoted])];
  const others = [...new Set(valuesOf(false))];
  const marks = punctuationIn(failing.join('')).filter(
    (mark) => others.filter((other) => other.includes(mark)).length <= 1,
  );
  return {
    failing: failing.slice(0, MAX_STRINGS),
    others: others.slice(0, MAX_STRINGS),
    marks: marks.slice(0, MAX_MARKS),
    lines: [...new Set(strings.filter(({ isNamed }) => isNamed).map(({ line }) => line))],
  };
}

/** Whether a title has a text in it; each text is looked for once. */
function titleTest(titles: readonly string[]): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const found = known.get(value) ?? titles.some((title) => title.includes(value));
    known.set(value, found);
    return found;
  };
}

/** The first argument of `describe` and `it`. */
function isTitle({ key, index, parent }: Site): boolean {
  if (key !== 'arguments' || index !== 0 || parent?.node.type !== 'CallExpression') return false;
  return /^(describe|suite|it|test|context)$/.test(calledName(parent.node.callee) ?? '');
}
