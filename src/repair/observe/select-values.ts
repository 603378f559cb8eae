import { redact } from '../../platform/redaction/redact.ts';
import type { ChangedLine, SeenValue } from '../../ports/reflection.ts';
import type { ObservedValues } from '../trial/protocol.ts';
import type { WatchedExpression } from './watch-values.ts';

/** Values of changed lines, and values of other lines. */
const MOST_CHANGED = 4;
const MOST_OTHERS = 6;

/** Absolute path of the tree, and the lines that the attempt wrote. */
interface Where {
  readonly root: string;
  readonly changed: readonly ChangedLine[];
}

/**
 * The values of a run that a reader can use: those in changed lines, then the others; each time what is returned or
 * assigned first, and the latest first. Functions and promises say nothing and are left out; of the same value of the same
 * code only the latest is kept.
 */
export function selectValues(
  watched: readonly WatchedExpression[],
  observed: readonly ObservedValues[],
  { root, changed }: Where,
): SeenValue[] {
  const byId = new Map(watched.map((expression) => [expression.id, expression]));
  const places = new Set(changed.map(({ file, line }) => `${file}:${line}`));
  // The lines of a stack are those of the instrumented files.
  const text = (value: string): string => redact(value).replaceAll(`${root}/`, '').replace(STACK, '');
  const isResult = ({ id }: ObservedValues): number => (byId.get(id)!.isResult ? 1 : 0);
  const values = onePerPlace(observed, byId)
    .sort((a, b) => isResult(b) - isResult(a) || b.order - a.order)
    .flatMap(({ id, count, order, first, last, isConstant }): SeenValue[] => {
      const { file, line, code } = byId.get(id)!;
      if ([first, last].some((value) => value !== undefined && SILENT.test(value))) return [];
      const isChanged = places.has(`${file}:${line}`);
      const shown = { first: text(first), last: last === undefined ? undefined : text(last) };
      return [{ file, line, code: redact(code), count, order, ...shown, isConstant, isChanged }];
    });
  const keys = values.map(keyOf);
  const distinct = values.filter((_, index) => keys.indexOf(keys[index]!) === index);
  const own = distinct.filter(({ isChanged }) => isChanged);
  const others = distinct.filter(({ isChanged }) => !isChanged);
  return [...own.slice(0, MOST_CHANGED), ...others.slice(0, MOST_OTHERS)];
}

/** The frames of an error that is printed in one line. */
const STACK = /\s+at (?:[^\n]*? \()?[^\s()]+:\d+:\d+\)?[^]*$/;

/**
 * The values of each code once for its line: those of code that stands twice in a line are added up where all are the same, and
 * left out otherwise, since a reader would take those of one place for all.
 */
function onePerPlace(
  observed: readonly ObservedValues[],
  byId: ReadonlyMap<number, WatchedExpression>,
): ObservedValues[] {
  const placeOf = ({ id }: ObservedValues): string => {
    const { file, line, code } = byId.get(id)!;
    return `${file}:${line} ${code}`;
  };
  return [...Map.groupBy(observed, placeOf).values()].flatMap((group) => {
    const last = group.reduce((one, other) => (one.order < other.order ? other : one));
    const isOne = group.every(({ isConstant, first }) => isConstant && first === last.first);
    if (group.length === 1) return group;
    return isOne ? [{ ...last, count: group.reduce((sum, { count }) => sum + count, 0) }] : [];
  });
}

const SILENT = /^a (function|promise|proxy)$/;

function keyOf({ file, line, code, first, last, count, isChanged }: SeenValue): string {
  return JSON.stringify([file, code, first, last, count, isChanged ? line : 0]);
}
