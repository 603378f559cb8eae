import type { AttemptContext } from '../../ports.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { Observation } from '../combine/evidence.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { FailureGroup } from '../localise/failures.ts';
import type { TrialGround } from '../trial/session.ts';
import type { Claim } from '../trial/verify.ts';

/** What bounds one stage of a search. */
export interface SearchBounds {
  /** Most candidates to try. */
  readonly maxCandidates: number;
  /** `performance.now()` at which nothing further is started. */
  readonly deadline: number;
}

/** The search for one group of failures, as far as it has come. */
export interface Search {
  readonly context: AttemptContext;
  readonly group: FailureGroup;
  readonly ground: TrialGround;
  readonly bounds: SearchBounds;
  readonly log: AttemptLog;
  /** Edits that had been tried when this stage began. */
  readonly triedBefore: number;
  /** Which failures a refuted candidate is refuted for. */
  readonly scope: string;
  /** How promising each candidate was before its trial: its prior times the suspicion of its place. */
  readonly scores: Map<Candidate, number>;
  /** What the trials of single edits showed. */
  readonly observed: Observation[];
  /** Claims of candidates that fix a part of the failing tests. */
  readonly partial: Claim[];
  /** Candidates that only a process of their own can try. */
  readonly left: Candidate[];
}

export function mayGoOn(search: Search): boolean {
  const { context, bounds } = search;
  return !context.signal.aborted && editsLeft(search) > 0 && performance.now() < bounds.deadline;
}

/** Edits that may still be tried. */
export function editsLeft({ bounds, log, triedBefore }: Search): number {
  return bounds.maxCandidates - (log.tried - triedBefore);
}

/** Not to be tried again for the same failures. */
export function ruleOut({ log, scope }: Search, { signature }: Candidate): void {
  log.refuted.add(signature + scope);
}

/** Ruled out although it fixed something. */
export function refute(search: Search, candidate: Candidate, how: string): void {
  ruleOut(search, candidate);
  search.log.nearest ??= `${candidate.signature}: ${how}`;
}

export function isRefuted({ log, scope }: Search, { signature }: Candidate): boolean {
  return log.refuted.has(signature + scope);
}

/** How promising a candidate was before its trial; 0 for one that nobody ranked. */
export function scoreOf({ scores }: Search, candidate: Candidate): number {
  return scores.get(candidate) ?? 0;
}
