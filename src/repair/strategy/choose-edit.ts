import { shownEdit } from '../../schema/shown-edit.ts';
import { plural } from '../../platform/text/plural.ts';
import { rankClaims, type ChoiceRequest, type RankedClaims } from '../choose/choose.ts';
import { confirmClaim, type Claim } from '../choose/confirm-claim.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { ColdVerdict } from '../trial/cold-trial.ts';
import { isRuledOut, ruleOutNearest, scoreOf, type BoundedSearch } from './group-search.ts';
import { withSameResults } from './confirm-others.ts';
import { withheldSentence } from './withheld.ts';
import { withTestsElsewhere } from './tests-elsewhere.ts';
import { withTypeErrors } from './type-errors.ts';

/** Signatures that a sentence lists. */
const SHOWN = 5;
const MAX_CONFIRMED = 8;

/** Factor for each better edit that a run of the whole check refuted: after many, one passes by chance. */
const REFUTED_FACTOR = 0.9;
/** Share of the least confidence that suffices for an edit that fixes only some tests: the others still judge it. */
const PARTIAL_SHARE = 0.5;

/**
 * Chooses the best of claims to fix some of the failing tests and confirms it in processes of its own. Undefined if no
 * claim holds or none is sure enough. The log receives the alternatives.
 */
export async function choosePartial(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<ColdVerdict | undefined> {
  return (await decide(search, claims, { minConfidence: search.minConfidence * PARTIAL_SHARE })).accepted;
}

/**
 * Chooses the best of claims that the tests cannot tell apart, together with those that were withheld before, and
 * confirms it. Claims that are not sure enough are withheld, so that the next batch or the user decides.
 */
export async function chooseOrWithhold(
  search: BoundedSearch,
  claims: readonly Claim[],
): Promise<ColdVerdict | undefined> {
  const { log, minConfidence, scope, withheld } = search;
  const all = [...withheld, ...claims];
  const judged = await withTypeErrors(search, await withTestsElsewhere(search, all));
  const before = withheld[0]?.candidate;
  const { accepted, unsure } = await decide(search, judged, {
    minConfidence,
    preferred: judged.some(({ candidate }) => candidate === before) ? before : undefined,
  });
  // Those that tests elsewhere rule out are dropped, the others keep their own counts.
  const ranks = new Map(unsure?.claims.map(({ candidate }, rank) => [candidate, rank]));
  const kept = all.filter(({ candidate }) => ranks.has(candidate));
  withheld.splice(0, Infinity, ...kept.sort((a, b) => ranks.get(a.candidate)! - ranks.get(b.candidate)!));
  if (unsure === undefined) log.withheld.delete(scope);
  else
    log.withheld.set(scope, {
      confidence: unsure.confidence,
      sentence: withheldSentence(unsure, minConfidence),
      candidates: unsure.claims.map(({ candidate }) => candidate),
    });
  return accepted;
}

/** `accepted`: the confirmed edit; `unsure`: the ranked claims if the best of them is not sure enough. */
interface Decision {
  readonly accepted?: ColdVerdict;
  readonly unsure?: RankedClaims;
}

/** The demands on a claim. */
interface Demand {
  /** The least confidence, 0..1. */
  readonly minConfidence: number;
  /** The best of the claims that were withheld before. */
  readonly preferred?: Candidate;
}

async function decide(
  search: BoundedSearch,
  claims: readonly Claim[],
  { minConfidence, preferred }: Demand,
): Promise<Decision> {
  let left = [...claims];
  let spoiling: ColdVerdict | undefined;
  for (let tried = 0; tried < MAX_CONFIRMED && left.length > 0; tried++) {
    if (tried > 0 && performance.now() > search.bounds.deadline) break;
    const choice = await rankClaims(requestOf(search), left);
    const ranked = { ...choice, confidence: choice.confidence * REFUTED_FACTOR ** tried };
    logRanking(search, ranked);
    // A later batch may confirm the behaviour that was best before; if it favours another one, neither is sure.
    const isReplaced = preferred !== undefined && !ranked.alike.includes(preferred);
    if (ranked.confidence < minConfidence || isReplaced) return { unsure: ranked };
    if (search.context.signal.aborted) break;
    const [first] = ranked.claims;
    const accepted = await confirmEdit(search, first!);
    if (accepted?.spoiledChecks.length === 0 && accepted.fixed.length >= first!.fixed) {
      await logAlternatives(search, accepted, ranked.claims);
      return { accepted };
    }
    spoiling ??= accepted;
    left = left.filter((claim) => claim !== first);
  }
  return { accepted: spoiling };
}

/** Confirms a claim; undefined if it does not hold. */
async function confirmEdit(search: BoundedSearch, claim: Claim): Promise<ColdVerdict | undefined> {
  const confirmation = await confirmClaim(search.context, search.group, claim);
  if (confirmation === undefined) return undefined;
  const { verdict, holds } = confirmation;
  if (!holds) {
    const effect = `fixes ${plural(verdict.fixed.length, 'test')} and breaks ${verdict.broken.length}`;
    ruleOutNearest(search, claim.candidate, effect);
    return undefined;
  }
  return verdict;
}

/** The others among the claims become the accepted edit's alternatives, if a run of the whole check confirms them. */
async function logAlternatives(
  search: BoundedSearch,
  accepted: ColdVerdict,
  among: readonly Claim[],
): Promise<void> {
  const { log } = search;
  const others = among
    .map(({ candidate }) => candidate)
    .filter((candidate) => candidate !== accepted.candidate && !isRuledOut(search, candidate));
  const same = await withSameResults(search, accepted, others);
  log.alternatives = same;
  if (same.length === 0) return;
  const shown = same.slice(0, SHOWN).map(({ signature }) => shownEdit(signature));
  log.addReason(`Other edits with the same test results (${same.length}): ${shown.join('; ')}.`);
}

function logRanking({ log }: BoundedSearch, ranked: RankedClaims): void {
  const { claims, comparedInputs, behaviours, confidence } = ranked;
  log.confidence = round(confidence);
  const pass = claims.length === 1 ? 'makes' : 'make';
  const compared =
    comparedInputs === 0
      ? ''
      : `; compared on ${plural(comparedInputs, 'input')} like those of the tests: ${plural(behaviours, 'behaviour')}`;
  log.addReason(
    `${plural(claims.length, 'edit')} ${pass} the failing tests pass${compared}; confidence ${confidence.toFixed(2)}.`,
  );
}

/** The request for a ranking of a search's claims. */
export function requestOf(search: BoundedSearch): ChoiceRequest {
  const { group, target } = search;
  // A file that did not run has no failing tests by name.
  const failing = Math.max(1, group.tests.length);
  return { target, failing, scoreOf: (candidate) => scoreOf(search, candidate) };
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
