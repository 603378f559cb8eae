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
import { rankByMerit, type Plausible } from './merit.ts';

/** The tests that claims are about, and what is known of the candidates. */
export interface ChoiceRequest {
  readonly target: TrialTarget;
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
  { target, scoreOf }: ChoiceRequest,
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
  const ranking = rankByMerit(plausible, behaviours, most);
  const ranks = new Map(ranking.candidates.map((candidate, index) => [candidate, index]));
  const rankOf = ({ candidate }: Claim): number => ranks.get(candidate) ?? ranks.size;
  const [first, second] = ranking.classes;
  return {
    claims: byScore.sort((a, b) => b.fixed - a.fixed || rankOf(a) - rankOf(b)),
    confidence: confidenceOf(first!.share, await coverageOf(whole, ranking.candidates[0]!)),
    comparedInputs: behaviours.original.length,
    behaviours: ranking.classes.length,
    alike: first!.members,
    difference: differenceBetween(behaviours, first, second),
  };
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
