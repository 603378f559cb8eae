/** The words of plain English that advice on code may consist of, besides names; everything else is not understood. */
const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Verbs of editing code, in the imperative. */
const EDITING = `access add adjust append apply assign await bound build calculate call cap cast catch change check clamp clear clone
  close coerce collect combine compute construct contain convert copy correct count create cut declare decode decrement default define
  derive divide drop encode end ensure escape exclude export extend extract fall filter find fix flatten flip format freeze give group
  guard handle import include increment index initialise initialize inline insert invert iterate join let limit loop lowercase
  make map mark match merge move multiply narrow negate normalise normalize omit pad parse pass pop prepend prefer push put raise
  reduce reject remove rename replace reserve reset resolve restore restrict rethrow return reuse reverse rewrite round scale set shift shorten skip slice sort split
  spread start step stop store strip subtract substitute sum swap switch take throw translate trim truncate turn type unescape unwrap update
  uppercase use validate widen wrap write yield`;

/** Verbs of observing code. */
const OBSERVING = 'compare inspect log look print read trace verify';

export const VERBS = listed(`${EDITING} ${OBSERVING}`);
export const OBSERVING_VERBS = listed(OBSERVING);

/** Articles, prepositions, conjunctions and auxiliaries. */
const FUNCTION_WORDS =
  listed(`a an the of in at on to into onto from with without by as for and or not no if when whenever where
  whether unless before after until while once instead rather than between within inside outside over under through via per against
  is are be been being was were has have does do can may must should both each every all any only also just still even either
  neither so then else otherwise first second third last next previous already directly early earlier late later again always exactly afterwards beforehand
  too up down out off back away least most more less fewer many much that which what whose it its they them their
  itself`);

/** Things of code and what they are like. */
const THINGS =
  listed(`line lines function functions method methods class classes constructor loop loops condition conditions index
  indices indexes bound bounds boundary value values argument arguments parameter parameters result results string strings array
  arrays list lists element elements item items entry entries number numbers key keys property properties field fields member
  members object objects character characters char chars letter letters digit digits separator delimiter prefix suffix sign operator operators
  operand comparison comparisons branch branches case default guard guards type types annotation signature interface
  union generic cast promise promises callback callbacks variable variables constant constants expression expressions statement
  statements call calls caller callers iteration iterations step range length size width count counter total sum difference product
  quotient remainder rest part parts half halves half-up start end beginning middle side left right head tail limit limits
  minimum maximum min max offset order orders copy reference error errors exception exceptions message input output body block scope
  name names id regular expression regex pattern flag flags group groups match matches whitespace space spaces blank blanks dash
  dashes dot dots comma commas colon underscore underscores hyphen quote quotes bracket brackets parenthesis parentheses newline
  newlines text word words set map maps date dates time times year years month months day days hour hours minute minutes second seconds millisecond milliseconds
  cent cents unit units percent percentage fraction decimal decimals place places rounding division multiplication addition
  subtraction modulo arithmetic addend integer integers float nan infinity null undefined boolean true false zero one two three
  empty missing absent optional required nullish falsy truthy positive negative nonnegative non-negative non-empty inclusive exclusive
  whole single double equal unequal strict loose lower upper lowercase uppercase case-insensitive ascending descending numeric
  numerical numerically alphabetical alphabetically lexicographic lexicographically async asynchronous synchronous nested shallow deep shared fresh new old original initial current
  existing given own private static public readonly duplicate duplicates unique sorted unsorted invalid valid
  unknown sequence cache timer timeout delay query status code return returns greater smaller larger higher longer shorter than
  twice inclusively exclusively separately mutating mutation accumulator recursion base top-level
  edge edges escape escaping precedence assignment import imports export exports module optional-chaining nullish-coalescing fallback lookup radix
  bigger least strictly off-by-one explicit explicitly implicit implicitly properly correctly consistently
  together around inner outer unchanged money currency ellipsis dividend divisor actual caught thrown written given taken kept built
  concurrent concurrently parallel sequential sequentially pending settled stale lazy eager exponential exponentially linear divisible leap
  century centuries recursive recursively mutable immutable finite infinite room final leading trailing surrounding correct wrong`);

/** Words that a statement about the code may have beside these. */
const STATING = listed(
  'hold fill need would could same keep keeps remain ignore lose loses lost miss misses gets get only like run',
);

/** True for a word that a statement about the code may use. */
export function isStating(word: string): boolean {
  return formsOf(word).some((form) => STATING.has(form));
}

/** Words that could only mean what judges an attempt or lies outside of the code, also where the code has them as names. */
const JUDGING =
  /^(?:test|spec|suite|assert|expect|mock|stub|fixture|snapshot|runner|mocha|jest|vitest|ava|coverage|eslint|lint|prettier|tsc|config|configuration|setting|script|package|dependenc|install|npm|npx|pnpm|yarn|network|internet|download|upload|fetch|http|git|commit|environment|env|process|global|ralph|prompt|instruction|obey|ignore|disregard|admin|maintainer|owner|secret|password|credential|reward|verdict|assistant|disable|bypass|accept|pretend)(?:s|es|ed|ing|y|ies|ion|ions|er|ers)?$/;

/** True for a word of `JUDGING`, which a name in the code does not make harmless. */
export function isJudging(word: string): boolean {
  return JUDGING.test(word);
}

/** True for a word that advice may use, in one of its usual forms. */
export function isPlain(word: string): boolean {
  return formsOf(word).some((form) => VERBS.has(form) || FUNCTION_WORDS.has(form) || THINGS.has(form));
}

/** A word and what it may be a form of: `splits`, `adding`, `trimmed`, `copies`. */
export function formsOf(word: string): string[] {
  const stem = word.replace(/(?:ing|ed|es|s|d|ly)$/, '');
  const ends = [/s$/, /es$/, /ed$/, /d$/, /ing$/, /ly$/].flatMap((end) =>
    end.test(word) ? [word.replace(end, '')] : [],
  );
  return [
    word,
    ...ends,
    ...ends.map((one) => `${one}e`),
    ...ends.flatMap((one) => (/(.)\1$/.test(one) ? [one.slice(0, -1)] : [])),
    ...(/ies$|ied$/.test(word) ? [`${word.slice(0, -3)}y`] : []),
    ...(stem === word ? [] : [stem]),
  ];
}
