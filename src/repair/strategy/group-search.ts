import { shownEdit } from '../../schema/shown-edit.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { Claim } from '../choose/confirm-claim.ts';
import type { Observation } from '../combine/evidence.ts';
import type { FailureGroup } from '../localise/failures.ts';
import type { TestValues } from '../refuse/evidence.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { TrialTarget } from '../trial/instrumented-run.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { RankedCandidate } from './propose.ts';

/** Limits of one stage of a search. */
export interface SearchBounds {
  /** Largest number of candidates to try. */
  readonly maxCandidates: number;
  /** `performance.now()` at which no further trial starts. */
  readonly deadline: number;
}

/** The search for a repair of one group of failing tests: its input and the results so far. */
export interface GroupSearch {
  readonly context: AttemptContext;
  readonly group: FailureGroup;
  readonly target: TrialTarget;
  readonly log: AttemptLog;
  /** Identifies the failures, as a suffix of the signatures that are ruled out for them. */
  readonly scope: string;
  /** The most promising single edits and repeats of one edit, best first. */
  readonly ranked: readonly RankedCandidate[];
  /** Proposes those that come after `ranked`; some may be in both. */
  readonly proposeMore: () => Promise<readonly RankedCandidate[]>;
  /** Those of `ranked` that resemble earlier repairs of this repository. */
  readonly recalled: readonly Candidate[];
  /** Signatures that earlier attempts ruled out for these failures. */
  readonly ruledOut: ReadonlySet<string>;
  /** Prior times the suspicion of its place, by candidate; pairs are added. */
  readonly scores: Map<Candidate, number>;
  /** Results of the trials of single edits. */
  readonly observed: Observation[];
  /** Candidates that fix some of the failing tests and break none. */
  readonly partial: Claim[];
  /** Candidates that a shared process cannot judge. */
  readonly left: Candidate[];
  /** Claims to fix every failing test that are not sure enough, best first. */
  readonly withheld: Claim[];
  /** Those of them that a run of the whole check has confirmed. */
  readonly sound: Set<Candidate>;
  /** Those that a run of the type checker or the linter has found new errors with. */
  readonly spoiling: Set<Candidate>;
  /** Claims to fix every failing test of the group, and none of other files that fail by the same sources. */
  readonly deferred: Claim[];
  /** Tests of other files that fail as well: they help to choose between claims. */
  readonly others: readonly TrialTarget[];
  /** Number of their tests that a candidate fixes, as far as it was tried on them. */
  readonly fixedElsewhere: Map<Candidate, number>;
  /** Number of errors of a red type check that a candidate removes, as far as it was counted. */
  readonly removedErrors: Map<Candidate, number>;
  /** Values that the tests name. */
  readonly testValues: TestValues;
  /** The confidence from which an edit is claimed, 0..1. */
  readonly minConfidence: number;
}

/** A group's search within the limits of one stage. */
export interface BoundedSearch extends GroupSearch {
  readonly bounds: SearchBounds;
  /** Number of edits that the attempt had tried when the stage began. */
  readonly triedBefore: number;
}

/** The search within new limits; results are added to the same lists. */
export function withBounds(search: GroupSearch, bounds: SearchBounds): BoundedSearch {
  return { ...search, bounds, triedBefore: search.log.tried };
}

/** Whether neither the time nor the number of edits is used up. */
export function mayContinue(search: BoundedSearch): boolean {
  const { context, bounds } = search;
  return !context.signal.aborted && editsLeft(search) > 0 && performance.now() < bounds.deadline;
}

/** Number of edits that the stage may still try. */
export function editsLeft({ bounds, log, triedBefore }: BoundedSearch): number {
  return bounds.maxCandidates - (log.tried - triedBefore);
}

/** Records that a candidate does not repair these failures. */
export function ruleOut({ log, scope }: GroupSearch, { signature }: Candidate): void {
  log.ruledOut.add(signature + scope);
}

/** Rules out a candidate that fixed a test; the attempt's message names the first one as the nearest. */
export function ruleOutNearest(search: GroupSearch, candidate: Candidate, effect: string): void {
  ruleOut(search, candidate);
  search.log.nearest ??= `${shownEdit(candidate.signature)}: ${effect}`;
}

/** Whether this attempt ruled a candidate out for these failures. */
export function isRuledOut({ log, scope }: GroupSearch, { signature }: Candidate): boolean {
  return log.ruledOut.has(signature + scope);
}

/** How promising a candidate was before its trial; 0 for one without a score. */
export function scoreOf({ scores }: GroupSearch, candidate: Candidate): number {
  return scores.get(candidate) ?? 0;
}
