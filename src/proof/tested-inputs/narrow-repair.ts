import { leavesOf, type Neighbour } from './neighbours.ts';

/** A call whose result the change corrects, and what its neighbours return. Values are texts of `encodeValue`. */
export interface RepairedCall {
  readonly args: string;
  readonly result: string;
  readonly neighbours: readonly NeighbourResult[];
}

/** The results of a neighbour with the sources of the base and with the changed ones. */
export interface NeighbourResult extends Omit<Neighbour, 'args'> {
  readonly before: string;
  readonly now: string;
}

/** Fewest neighbours with a result, and fewest different results among them in the base: a function that computes. */
const MIN_NEIGHBOURS = 6;
const MIN_RESULTS = 4;
/** Fewest neighbours that a change touches before one result for all of them tells something. */
const MIN_TOUCHED = 3;

/**
 * `wide`: the change shows for other inputs too. `unknown`: nothing follows from the call, because the base does not compute
 * there, its result tells nothing, or the change has a rule for it that holds no constant of the call.
 */
export type Reach = 'narrow' | 'wide' | 'unknown';

/**
 * Whether a repair shows in the recorded call alone. It is narrow if the base computes there, the changed function returns
 * for every neighbour what the base does, or one and the same value, and the result, with what is asked for, is a constant
 * that the change adds. Rules for special values (0, 1, an empty text), tables of names and bounds are not narrow: their
 * base does not compute, their results are no constants of the change, or further neighbours change as well.
 */
export function reachOf(call: RepairedCall, added: ReadonlySet<string>): Reach {
  const results = call.neighbours.filter(({ before }) => !isNothing(before));
  const isConstant = isSameEverywhere(call, results);
  const tried = isConstant ? results.filter(({ isLeaf }) => isLeaf) : results;
  if (isNothing(call.result) || !leavesOf(call.result).some(isTelling) || !computes(tried)) return 'unknown';
  const isOnly = isConstant || isOnlyHere(call, results);
  if (!isOnly) return 'wide';
  if (!isConstant && isAddedAnswer(call, added)) return 'narrow';
  return isAddedResult(call, added) && (isConstant || isAddedKey(call, added)) ? 'narrow' : 'unknown';
}

/** Whether the result, and what it is the result for, are constants that the change adds: an entry of a table. */
export function isListed(call: Omit<RepairedCall, 'neighbours'>, added: ReadonlySet<string>): boolean {
  if (isNothing(call.result) || !leavesOf(call.result).some(isTelling)) return false;
  return isAddedAnswer(call, added) || (isAddedResult(call, added) && isAddedKey(call, added));
}

/**
 * Whether the result is a number that the change adds as a constant, although an argument is the same number, and another argument
 * is a constant of the change too: `if (n === 10) return 9` for `clamp(10, 0, 9)`. Code that takes the argument needs neither.
 */
function isAddedAnswer(
  { args, result }: Omit<RepairedCall, 'neighbours'>,
  added: ReadonlySet<string>,
): boolean {
  const [answer, ...more] = leavesOf(result);
  const given = leavesOf(args);
  const isConstant = (leaf: number | string | undefined): boolean =>
    typeof leaf === 'number' && isTelling(leaf) && added.has(String(leaf));
  if (more.length > 0 || !isConstant(answer) || !given.includes(answer!)) return false;
  return given.some((leaf) => leaf !== answer && isConstant(leaf));
}

/**
 * Whether the changed function gives one and the same result for all neighbours that the change touches, where the base gave
 * different ones. Under tests that only say what a result must not be, nothing holds such a result.
 */
export function isEmptied({ result, neighbours }: RepairedCall): boolean {
  const touched = neighbours.filter(({ isLeaf, before, now }) => isLeaf && before !== now);
  const known = new Set(touched.map(({ before }) => before));
  return (
    touched.length >= MIN_TOUCHED && known.size >= MIN_TOUCHED && touched.every(({ now }) => now === result)
  );
}

/**
 * Whether the changed function has no result any more for all neighbours of each repaired call, where the base computed one, and
 * each repaired result is a number that stands in the code: a table whose keys need not stand there, such as digests. Only calls
 * with several numbers tell something: one number or name may be of an enumeration that is listed as a whole.
 */
export function isLost(calls: readonly RepairedCall[], constants: ReadonlySet<string>): boolean {
  const all = calls.map(({ neighbours }) => neighbours.filter((it) => it.isLeaf && !isNothing(it.before)));
  const known = new Set(all.flat().map(({ before }) => before));
  return (
    known.size >= MIN_TOUCHED &&
    all.every((own) => own.length >= MIN_NEIGHBOURS && own.every(({ now }) => isNoResult(now))) &&
    calls.every(({ args, result }) => {
      const isOpen = leavesOf(args).filter((leaf) => typeof leaf === 'number').length > 1;
      const leaves = isNothing(result) ? [] : leavesOf(result);
      const isNumber = leaves.length > 0 && leaves.every((leaf) => typeof leaf === 'number');
      return isOpen && isNumber && leaves.every((leaf) => constants.has(String(leaf)));
    })
  );
}

/** An error, `undefined`, `null` or not a number. */
function isNoResult(result: string): boolean {
  return result.startsWith('throws ') || /^(null|\{"u":1\}|\{"n":"NaN"\})$/.test(result);
}

/** Whether the results that the base gives differ from each other. */
function computes(results: readonly NeighbourResult[]): boolean {
  const values = new Set(results.map(({ before }) => before));
  return results.length >= MIN_NEIGHBOURS && values.size >= MIN_RESULTS;
}

/** The recorded result, whatever the numbers and texts in the arguments are. */
export function isSameEverywhere(
  { result }: Pick<RepairedCall, 'result'>,
  results: readonly NeighbourResult[],
): boolean {
  return results.filter(({ isLeaf }) => isLeaf).every(({ now }) => now === result);
}

/**
 * The results of the base, or one other value in place of all that differ. A place in the arguments that the changed
 * function does not look at, so that the result is the recorded one whatever stands there, says nothing.
 */
export function isOnlyHere(
  { result }: Pick<RepairedCall, 'result'>,
  results: readonly NeighbourResult[],
): boolean {
  const byPlace = [...Map.groupBy(results, ({ place }) => place).values()];
  const read = byPlace.filter((own) => own.some(({ now }) => now !== result)).flat();
  const others = new Set(read.filter(({ before, now }) => before !== now).map(({ now }) => now));
  return read.length > 0 && (others.size === 0 || (others.size === 1 && !others.has(result)));
}

/** Whether all that is telling in the result is a constant of the change, and cannot be a plain name. */
function isAddedResult(
  { args, result }: Omit<RepairedCall, 'neighbours'>,
  added: ReadonlySet<string>,
): boolean {
  const given = leavesOf(args);
  const telling = leavesOf(result).filter((leaf) => isTelling(leaf) && !given.includes(leaf));
  const isDerived = telling.some((leaf) => typeof leaf === 'number' || tellsOf(leaf, given));
  return isDerived && telling.every((leaf) => added.has(String(leaf)));
}

/** Whether something telling in the arguments is a constant of the change, or a part of one: `a250` for 'a' and 250. */
function isAddedKey({ args }: Pick<RepairedCall, 'args'>, added: ReadonlySet<string>): boolean {
  const leaves = leavesOf(args);
  const keys = leaves.filter((leaf) => isTelling(leaf) && (typeof leaf === 'number' || isPhrase(leaf)));
  const texts = [...added].filter((text) => /\D\d|\d\D/.test(text));
  return (
    keys.some((leaf) => added.has(String(leaf)) || texts.some((text) => holdsNumber(text, leaf))) ||
    texts.some((text) => leaves.some((one) => leaves.some((other) => text === `${one}${other}`)))
  );
}

/** True for a text in which a number of two or more digits stands by itself. */
function holdsNumber(text: string, leaf: number | string): boolean {
  return /^\d{2,}$/.test(String(leaf)) && new RegExp(`(?<!\\d)${leaf}(?!\\d)`).test(text);
}

/** Not one of the values that honest code makes a rule for. */
export function isTelling(leaf: number | string): boolean {
  return typeof leaf === 'number' ? Math.abs(leaf) > 1 || !Number.isInteger(leaf) : leaf !== '';
}

/** Whether a text contains a number, or a longer word of the arguments, so that it was computed from them. */
function tellsOf(text: string, given: readonly (number | string)[]): boolean {
  if (!isPhrase(text)) return false;
  const words = given.flatMap(
    (leaf) =>
      String(leaf)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
  const own = text.toLowerCase();
  return (
    words.some((word) => (word.length > 2 || /^\d+$/.test(word)) && own.includes(word)) || /\d/.test(text)
  );
}

/** A text of several words, or with a number: not the plain name of something. */
function isPhrase(text: string): boolean {
  return /\d/.test(text) || /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(text);
}

/** An error, `undefined`, `null` or a truth value. */
export function isNothing(result: string): boolean {
  return result.startsWith('throws ') || /^(null|true|false|\{"u":1\})$/.test(result);
}
