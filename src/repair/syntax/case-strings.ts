import { parseSource } from './parse.ts';
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

/** The strings of a test file; none if it does not parse. */
export function caseStrings(file: string, text: string, { lines, quoted, titles }: FailedAt): CaseStrings {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return NO_STRINGS;
  const strings = sitesOf(parsed.tree.program).flatMap((site) => {
    const { node, key } = site;
    if (key === 'source' || !(node.type === 'StringLiteral' || node.type === 'TemplateElement')) return [];
    const value = node.type === 'StringLiteral' ? node.value : (node.value.cooked ?? '');
    const { line } = node.loc!.start;
    const isNamed =
      value.length >= LEAST_NAMED_CHARS && !isTitle(site) && titles.some((title) => title.includes(value));
    const isNear = lines.some((at) => Math.abs(at - line) <= NEAR_LINES);
    return [{ value, line, isNamed, isFailing: isNamed || isNear || quoted.includes(value) }];
  });
  const valuesOf = (isFailing: boolean): string[] =>
    strings.filter((string) => string.isFailing === isFailing).map(({ value }) => value);
  const failing = [...new Set([...valuesOf(true), ...quoted])];
  const others = [...new Set(valuesOf(false))];
  const marks = [...new Set(failing.join('').match(/[^\w\s]/g) ?? [])].filter(
    (mark) => others.filter((other) => other.includes(mark)).length <= 1,
  );
  return {
    failing: failing.slice(0, MAX_STRINGS),
    others: others.slice(0, MAX_STRINGS),
    marks: marks.slice(0, MAX_MARKS),
    lines: [...new Set(strings.filter(({ isNamed }) => isNamed).map(({ line }) => line))],
  };
}

/** The first argument of `describe` and `it`. */
function isTitle({ key, index, parent }: Site): boolean {
  if (key !== 'arguments' || index !== 0 || parent?.node.type !== 'CallExpression') return false;
  return /^(describe|suite|it|test|context)$/.test(calledName(parent.node.callee) ?? '');
}
