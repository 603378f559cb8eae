import type { FailureGroup } from '../localise/failures.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import { answersTest } from './answers.ts';
import { compareBehaviours } from './behaviours.ts';
import { confirmClaims, type Claim } from './confirm-claims.ts';
import { rankByMerit } from './merit.ts';

/** The failing tests that claims are about, and what is known of the candidates. */
export interface ChoiceRequest {
  readonly group: FailureGroup;
  readonly target: TrialTarget;
  /** `performance.now()` after which only the first claim is still confirmed. */
  readonly deadline: number;
  /** How promising a candidate was before its trial, 0 or more. */
  readonly scoreOf: (candidate: Candidate) => number;
}

/** Claims in the order of choice, and the number of inputs on which their behaviour was compared. */
export interface RankedClaims {
  readonly claims: readonly Claim[];
  readonly comparedInputs: number;
}

/** The outcome of choosing among claims. */
export interface Choice {
  /** The best claim that was confirmed; undefined if none was. */
  readonly accepted?: ColdVerdict;
  /** Candidates that the tests cannot tell from the accepted one, best first; empty without one. */
  readonly alternatives: readonly Candidate[];
  /** Candidates whose claims did not hold. */
  readonly refuted: readonly ColdVerdict[];
}

/** Claims beyond these are not compared by behaviour. */
const MOST_COMPARED = 80;

/** Orders claims: those that fix more tests first, then by merit. */
export async function rankClaims(request: ChoiceRequest, claims: readonly Claim[]): Promise<RankedClaims> {
  const { group, target, scoreOf } = request;
  const byScore = [...claims].sort(
    (a, b) => b.fixed - a.fixed || scoreOf(b.candidate) - scoreOf(a.candidate),
  );
  if (byScore.length < 2) return { claims: byScore, comparedInputs: 0 };
  const candidates = byScore.slice(0, MOST_COMPARED).map(({ candidate }) => candidate);
  const behaviours = await compareBehaviours({ ...target, only: undefined }, candidates);
  const expected = group.diagnostics.flatMap((diagnostic) => diagnostic.expected ?? []);
  const byMerit = rankByMerit(
    candidates.map((candidate) => ({
      candidate,
      score: scoreOf(candidate),
      answers: answersTest(candidate, expected),
    })),
    behaviours,
  );
  const ranks = new Map(byMerit.map((candidate, index) => [candidate, index]));
  const rankOf = ({ candidate }: Claim): number => ranks.get(candidate) ?? byMerit.length;
  return {
    claims: byScore.sort((a, b) => b.fixed - a.fixed || rankOf(a) - rankOf(b)),
    comparedInputs: behaviours.original.length,
  };
}

/** Confirms claims in the order given, in processes of their own, until one holds. */
export async function chooseConfirmed(request: ChoiceRequest, claims: readonly Claim[]): Promise<Choice> {
  const { deadline, group, target } = request;
  if (claims.length === 0) return { alternatives: [], refuted: [] };
  const confirmation = await confirmClaims(target.context, group, { claims, deadline });
  const { accepted, plausible, refuted } = confirmation;
  if (accepted === undefined) return { alternatives: [], refuted };
  const failed = new Set(refuted.map(({ candidate }) => candidate));
  const others = [...plausible, ...claims].map(({ candidate }) => candidate);
  const alternatives = [...new Set(others)].filter(
    (candidate) => candidate !== accepted.candidate && !failed.has(candidate),
  );
  return { accepted, alternatives, refuted };
}
