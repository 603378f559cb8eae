import type { Candidate } from '../syntax/edit.ts';
import { CHANGED } from '../syntax/value-text.ts';
import type { Behaviours } from './behaviours.ts';

/** A candidate that passes the tests. */
export interface Plausible {
  readonly candidate: Candidate;
  /** How promising the candidate was before its trial. */
  readonly score: number;
  /** Inserts a value that neither the code nor its comments name. */
  readonly isStrange: boolean;
  /** Number of variables and parameters that the changed functions still do not read. */
  readonly unread: number;
  /** Another candidate handles the missing value that ended the tests, and this one does not. */
  readonly ignoresCrash?: boolean;
  /** Takes statements from the tests that passed before. */
  readonly losesPaths?: boolean;
}

/** Candidates with the same results on every compared input. */
export interface BehaviourClass {
  /** Best first. */
  readonly members: readonly Candidate[];
  /** Share of the weight of all candidates that supports this behaviour, 0..1. */
  readonly share: number;
  /** Results on the compared inputs; undefined if they are not known. */
  readonly outputs: readonly string[] | undefined;
}

/** Plausible candidates in order of merit. */
export interface Ranking {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** The class of the best candidate comes first, then those with the best other members. */
  readonly classes: readonly BehaviourClass[];
}

/** Power of the likeness: candidates that differ on more than a few inputs hardly support each other. */
const LIKENESS_POWER = 32;
/** The power of each input beyond so many that the likeness of one more differing input does not count less. */
const POWER_PER_INPUT = 0.5;
const SIZE_POWER = 0.1;
/** Weight of a removed character; an inserted one weighs 1. */
const REMOVED_SHARE = 0.5;
const STRANGE_FACTOR = 0.15;
/** Factor for each of at most two names that stay unread: a defect that is repaired seldom leaves one behind. */
const UNREAD_FACTOR = 0.3;
/** Factor for a candidate that changes its arguments on every input on which the unchanged code does not. */
const MUTATION_FLOOR = 0.3;
/** Factor for a candidate under which no example in the comments holds; not 0, because comments grow out of date. */
const EXAMPLES_FLOOR = 0.1;
/** Factor for a candidate by which the code that met a missing value just no longer runs, or reads something else. */
const IGNORED_CRASH_FACTOR = 0.25;
/** Factor for a candidate that removes what passing tests run, or keeps them from it. */
const LOST_PATHS_FACTOR = 0.1;
const LEAST_SCORE = 0.01;
/** Weight of the repairs that were not proposed, if one test fails and few others reach the place. */
const UNKNOWN_WEIGHT = 0.05;
/** So much of that weight is added each time that the number of passing tests at the place doubles beyond few. */
const UNKNOWN_GROWTH = 2;
const FEW_TESTS = 6;

/** What is known of the tests of some candidates. */
export interface RankedTests {
  /** Number of tests that the candidates fix. */
  readonly fixed: number;
  /** Number of tests at the best candidate's place that passed before. */
  readonly passing: number;
}

/**
 * Ranks plausible candidates: natural and small edits, which insert no strange value, leave no variable unread, keep the
 * examples in comments, do not change their arguments and behave like the unchanged code on inputs that no test has.
 * Candidates with the same behaviour support each other. Where many tests passed before, the defect is likelier a case that
 * nobody thought of than a slip, and its repair likelier one that was not proposed.
 */
export function rankByMerit(
  plausible: readonly Plausible[],
  behaviours: Behaviours,
  { fixed, passing }: RankedTests,
): Ranking {
  const classes = classesOf(plausible, behaviours);
  const all = classes.reduce((sum, { weight }) => sum + weight, 0);
  const tested = 1 + UNKNOWN_GROWTH * Math.log2(Math.max(FEW_TESTS, passing) / FEW_TESTS);
  const unknown = (UNKNOWN_WEIGHT * tested) / Math.sqrt(Math.max(1, fixed));
  const power = Math.max(LIKENESS_POWER, POWER_PER_INPUT * behaviours.original.length);
  const supported = classes.map(({ entries, outputs }, index) => {
    const support = classes.reduce(
      (sum, other, at) =>
        sum + other.weight * (at === index ? 1 : likenessOf(outputs, other.outputs) ** power),
      0,
    );
    const members = entries.toSorted((a, b) => b.weight - a.weight);
    return { outputs, members, share: support / (all + unknown), merit: members[0]!.weight * support };
  });
  supported.sort((a, b) => b.merit - a.merit);
  const candidates = supported
    .flatMap(({ members, share }) =>
      members.map(({ candidate, weight }) => ({ candidate, merit: weight * share })),
    )
    .sort((a, b) => b.merit - a.merit)
    .map(({ candidate }) => candidate);
  return {
    candidates,
    classes: supported.map(({ outputs, members, share }) => ({
      outputs,
      share,
      members: members.map(({ candidate }) => candidate),
    })),
  };
}

interface Weighed {
  readonly candidate: Candidate;
  readonly weight: number;
}

interface WeighedClass {
  readonly outputs: readonly string[] | undefined;
  readonly entries: readonly Weighed[];
  readonly weight: number;
}

function classesOf(plausible: readonly Plausible[], behaviours: Behaviours): WeighedClass[] {
  const groups = Map.groupBy(plausible, ({ candidate }) => {
    // Without a comparison every candidate may behave in a way of its own.
    return comparedOutputs(behaviours, candidate)?.join('\0') ?? candidate;
  });
  return [...groups.values()].map((group) => {
    const entries = group.map((entry) => ({
      candidate: entry.candidate,
      weight: weightOf(entry, behaviours),
    }));
    return {
      outputs: comparedOutputs(behaviours, group[0]!.candidate),
      entries,
      weight: entries.reduce((sum, { weight }) => sum + weight, 0),
    };
  });
}

/**
 * The results of a candidate; undefined if they say nothing: a repair differs from the unchanged code on the input of a failing
 * test, so where it differs on none, that input was not compared.
 */
function comparedOutputs({ of, original }: Behaviours, candidate: Candidate): readonly string[] | undefined {
  const outputs = of.get(candidate);
  return outputs?.some((text, index) => text !== original[index]) === true ? outputs : undefined;
}

function weightOf(entry: Plausible, behaviours: Behaviours): number {
  const { candidate, score, isStrange, unread } = entry;
  const { original, of, examples } = behaviours;
  const outputs = of.get(candidate);
  const trust =
    (isStrange ? STRANGE_FACTOR : 1) *
    (entry.ignoresCrash === true ? IGNORED_CRASH_FACTOR : 1) *
    (entry.losesPaths === true ? LOST_PATHS_FACTOR : 1) *
    UNREAD_FACTOR ** Math.min(2, unread) *
    above(EXAMPLES_FLOOR, examples.get(candidate) ?? 1) *
    above(MUTATION_FLOOR, 1 - mutationShare(outputs, original));
  const closeness = Math.exp(likenessOf(outputs, original));
  return (Math.max(score, LEAST_SCORE) * trust * closeness) / sizeOf(candidate) ** SIZE_POWER;
}

/** At least 1. */
function sizeOf({ edits }: Candidate): number {
  return edits.reduce(
    (sum, { start, end, replacement }) => sum + REMOVED_SHARE * (end - start) + replacement.length,
    1,
  );
}

/** Linear from the floor, for a share of 0, to 1. */
function above(floor: number, share: number): number {
  return floor + (1 - floor) * share;
}

/** Share of the inputs, 0..1, on which the candidate changes its arguments and the unchanged code does not. */
function mutationShare(outputs: readonly string[] | undefined, original: readonly string[]): number {
  if (outputs === undefined || outputs.length === 0) return 0;
  return countMutations(outputs, original) / outputs.length;
}

/** The same share of those inputs on which the candidate differs from the unchanged code; 0 if there is none. */
export function mutationsAmongChanges(
  outputs: readonly string[] | undefined,
  original: readonly string[],
): number {
  const changed = outputs?.filter((text, index) => text !== original[index]).length ?? 0;
  return changed === 0 ? 0 : countMutations(outputs!, original) / changed;
}

function countMutations(outputs: readonly string[], original: readonly string[]): number {
  const changes = (text: string | undefined): boolean => text?.includes(CHANGED) === true;
  return outputs.filter((text, index) => changes(text) && !changes(original[index])).length;
}

/** Share of the inputs, 0..1, with equal results; 0 if nothing could be compared. */
function likenessOf(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined || a.length === 0) return 0;
  return a.filter((text, index) => text === b[index]).length / a.length;
}
