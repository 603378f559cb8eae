import { editDistance } from '../../platform/text/edit-distance.ts';
import { isTouched, moreOften, type Change } from './change.ts';
import { namesValue, proseOf } from './evidence.ts';
import { isCommon, literalsOf, type LiteralSite } from './literal-value.ts';

/** Largest number of characters by which a corrected string differs from the one that it replaces. */
const CORRECTED = 2;
const LEAST_LENGTH = 4;

/**
 * Literals that an edit puts in and that neither the code nor the prose of the comments knew. Common values, numbers next
 * to the one that they replace, and corrections of a misspelt string are left out.
 */
export function newLiterals(change: Change): LiteralSite[] {
  const before = literalsOf(change.sitesBefore);
  const after = literalsOf(change.sitesAfter);
  const known = new Set(before.map(({ value }) => value));
  const fresh = moreOften(
    [...known],
    after.filter(({ value }) => !known.has(value)).map(({ value }) => value),
  );
  if (fresh.size === 0) return [];
  const prose = proseOf(change.before);
  const gone = [
    ...moreOften(
      after.map(({ value }) => value),
      before.map(({ value }) => value),
    ),
  ];
  return after.filter(
    ({ site, value }) =>
      fresh.has(value) &&
      isTouched(change, site) &&
      !isCommon(value) &&
      !namesValue(prose, value) &&
      !gone.some((old) => isCorrection(old, value)),
  );
}

function isCorrection(old: string, value: string): boolean {
  if (old.startsWith('"') && value.startsWith('"')) {
    const [a, b] = [JSON.parse(old) as string, JSON.parse(value) as string];
    return Math.min(a.length, b.length) >= LEAST_LENGTH && editDistance(a, b) <= CORRECTED;
  }
  return Math.abs(Number(old) - Number(value)) === 1;
}
