import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { changedFunctions, changeOf } from '../refuse/change.ts';
import { newLiterals } from '../refuse/new-literals.ts';
import { ABSENT_VALUE, type Candidate } from '../syntax/edit.ts';
import { parseSource } from '../syntax/parse.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { compareBehaviours } from './behaviours.ts';
import { confidenceOf } from './confidence.ts';
import type { Claim } from './confirm-claim.ts';
import { coverageOf } from './coverage.ts';
import { differenceBetween, type Difference } from './difference.ts';
import { countUnread } from './leftovers.ts';
import { lostPaths, passingAt, passingPathsOf, type PassingPaths } from './lost-paths.ts';
import { mutationsAmongChanges, rankByMerit, type Plausible, type Ranking } from './merit.ts';

/** The tests that claims are about, and what is known of the candidates. */
export interface ChoiceRequest {
  readonly target: TrialTarget;
  /** Number of failing tests for which those of the target stand. */
  readonly failing: number;
  /** How promising a candidate was before its trial, 0 or more. */
  readonly scoreOf: (candidate: Candidate) => number;
}

/** Claims in the order of choice, and how sure the choice is. */
export interface RankedClaims {
  readonly claims: readonly Claim[];
  /** How sure it is that the first claim behaves as intended, 0..1. */
  readonly confidence: number;
  /** Number of inputs on which the behaviour was compared. */
  readonly comparedInputs: number;
  /** Number of different behaviours among the claims. */
  readonly behaviours: number;
  /** Candidates with the behaviour of the first claim, itself included. */
  readonly alike: readonly Candidate[];
  /** An input on which the first claim and the best one with another behaviour differ. */
  readonly difference?: Difference;
}

/** Claims beyond these are not compared by behaviour. */
const MOST_COMPARED = 80;

/** Orders claims: those that fix more tests first, then by merit. There is at least one. */
export async function rankClaims(
  { target, failing, scoreOf }: ChoiceRequest,
  claims: readonly Claim[],
): Promise<RankedClaims> {
  const byScore = [...claims].sort(
    (a, b) => b.fixed - a.fixed || scoreOf(b.candidate) - scoreOf(a.candidate),
  );
  const most = byScore[0]!.fixed;
  const compared = byScore.filter(({ fixed }) => fixed === most).slice(0, MOST_COMPARED);
  const candidates = compared.map(({ candidate }) => candidate);
  const whole = { ...target, only: undefined };
  const behaviours = await compareBehaviours(whole, candidates);
  const isHandled = candidates.some(handlesCrash);
  const described = await Promise.all(
    candidates.map((candidate) => describe(target.context.root, candidate, scoreOf(candidate))),
  );
  const plausible = described.map((entry) => ({
    ...entry,
    ignoresCrash: isHandled && !handlesCrash(entry.candidate),
  }));
  const fixed = Math.round((most * failing) / (target.only?.length ?? failing));
  const { ranking, losesPaths } = await withoutLostPaths(whole, plausible, (entries, passing) =>
    rankByMerit(entries, behaviours, { fixed, passing }),
  );
  const ranks = new Map(ranking.candidates.map((candidate, index) => [candidate, index]));
  const rankOf = ({ candidate }: Claim): number => ranks.get(candidate) ?? ranks.size;
  const [first, second] = ranking.classes;
  const best = ranking.candidates[0]!;
  return {
    claims: byScore.sort((a, b) => b.fixed - a.fixed || rankOf(a) - rankOf(b)),
    confidence: confidenceOf(first!.share, {
      ...(await coverageOf(whole, best)),
      losesPaths,
      mutations: mutationsAmongChanges(behaviours.of.get(best), behaviours.original),
    }),
    comparedInputs: behaviours.original.length,
    behaviours: ranking.classes.length,
    alike: first!.members,
    difference: differenceBetween(behaviours, first, second),
  };
}

/** The best edits that are traced for paths that they lose. */
const MOST_TRACED = 4;

/**
 * Ranks candidates, and ranks them again without trust in the best one if it takes statements from passing tests, until one
 * is best that does not. If a few do so one after another, the next ones are taken to do so too.
 */
async function withoutLostPaths(
  target: TrialTarget,
  plausible: readonly Plausible[],
  rank: (entries: readonly Plausible[], passing: number) => Ranking,
): Promise<{ readonly ranking: Ranking; readonly losesPaths: boolean }> {
  const losing = new Set<Candidate>();
  const known = new Map<string, PassingPaths | undefined>();
  for (;;) {
    const entries = plausible.map((entry) => ({ ...entry, losesPaths: losing.has(entry.candidate) }));
    const best = rank(entries, 0).candidates[0]!;
    const { file } = best.edits[0]!;
    if (!known.has(file)) known.set(file, await passingPathsOf(target, file));
    const paths = known.get(file);
    const ranking = rank(entries, paths === undefined ? 0 : passingAt(paths, best));
    if (losing.has(best) || losing.size === MOST_TRACED) return { ranking, losesPaths: true };
    if (paths === undefined || (await lostPaths(target, paths, best)).length === 0)
      return { ranking, losesPaths: false };
    losing.add(best);
  }
}

/** Prior from which an edit that handles a missing value counts as the natural one. */
const NATURAL_PRIOR = 0.5;

function handlesCrash({ operator, prior }: Candidate): boolean {
  return operator === ABSENT_VALUE && prior >= NATURAL_PRIOR;
}

async function describe(root: string, candidate: Candidate, score: number): Promise<Plausible> {
  const { file } = candidate.edits[0]!;
  const parsed = parseSource(file, await readTreeText(join(root, file)));
  const change = 'problem' in parsed ? undefined : changeOf(parsed, candidate);
  if (change === undefined) return { candidate, score, isStrange: false, unread: 0 };
  const unread = changedFunctions(change).reduce(
    (sum, range) => sum + countUnread(change.sitesAfter, range),
    0,
  );
  return { candidate, score, isStrange: newLiterals(change).length > 0, unread };
}
