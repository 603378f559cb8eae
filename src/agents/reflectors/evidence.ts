import type { ReflectionInput } from '../../ports/reflection.ts';
import { compareFailures, type FailureComparison } from '../../schema/compare-failures.ts';
import { sortByImportance } from '../../schema/failure-order.ts';
import type { CheckResult, Diagnostic, Reflection } from '../../schema/generated.ts';
import { changedFiles, parseHunks, type Hunk } from '../../platform/text/patch-hunks.ts';
import { splitByCause } from './claims/code-as-it-was.ts';
import { isTestFileOf, type Place } from '../../prompts/phrases.ts';

/** The known facts about one failed attempt; none of them is a guess. */
export interface Evidence extends Pick<
  FailureComparison,
  'fixed' | 'unseen' | 'same' | 'moved' | 'fresh' | 'revealed'
> {
  readonly input: ReflectionInput;
  /** Earlier failures of tests that pass now and ran no line that the attempt wrote; `fixed` lacks them. */
  readonly unrun: readonly Diagnostic[];
  /** Earlier failures of tests that pass now and passed again on the tree before the attempt; `fixed` lacks them. */
  readonly without: readonly Diagnostic[];
  /** Earlier failures that are gone although the attempt changed no code; they are not among the fixed ones. */
  readonly passing: readonly Diagnostic[];
  /** Failures that are new although the attempt changed no code; they are not among the fresh ones. */
  readonly failing: readonly Diagnostic[];
  /** 1-based. */
  readonly attempt: number;
  /** Files that differ after the attempt. */
  readonly changed: readonly string[];
  readonly hunks: readonly Hunk[];
  /** Errors after the attempt, the most important one first. */
  readonly failures: readonly Diagnostic[];
  /** Errors of the tree that the next attempt starts from, the most important one first. */
  readonly ahead: readonly Diagnostic[];
  /** True if the next attempt starts from the tree of this one. */
  readonly isKept: boolean;
  /** Checks that could not run. */
  readonly broken: readonly CheckResult[];
  /** Places in the source, without tests, that the first failure ahead passes through, innermost first. */
  readonly places: readonly Place[];
  /** Earlier attempts of the loop, oldest first. */
  readonly earlier: readonly Reflection[];
  /** Earlier attempts with the first failure ahead among their errors, oldest first. */
  readonly alike: readonly Reflection[];
}

/** Derives the evidence from the input of a reflector. */
export function gatherEvidence(input: ReflectionInput): Evidence {
  const { patch, evaluation, previous, iteration, loop, window } = input;
  const hunks = parseHunks(patch);
  const { now, unseen, same, moved, revealed, ...compared } = compareFailures(previous, evaluation);
  const { fixed, unrun, without, passing, fresh, failing } = splitByCause(compared, input);
  const failures = sortByImportance(now, new Set([...fresh, ...failing]));
  const next = loop?.next ?? { from: iteration, evaluation };
  const isKept = next.from === iteration;
  const ahead = isKept
    ? failures
    : sortByImportance(compareFailures(evaluation, next.evaluation).now, new Set());
  const earlier = [...(loop?.reflections ?? window)].sort((a, b) => a.iteration - b.iteration);
  return {
    input,
    attempt: iteration,
    // By the patch, because the actor's list of edits is only a claim.
    changed: changedFiles(patch),
    hunks,
    failures,
    ahead,
    isKept,
    ...{ fixed, unrun, without, passing, failing, unseen, same, moved, fresh, revealed },
    broken: evaluation.checks.filter(({ status }) => status === 'error'),
    places: sourcePlaces(ahead[0]),
    earlier,
    alike: alikeIn(earlier, ahead[0]),
  };
}

/** True if the reflection reports this failure: it is the first one after the attempt. */
export function isReported(
  { failures: [first] }: Pick<Evidence, 'failures'>,
  { fingerprint, received }: Diagnostic,
): boolean {
  return first?.fingerprint === fingerprint && first.received === received;
}

/** Files that a failure names: its own and those of its frames. */
export function filesOf({ file, frames }: Diagnostic): string[] {
  return [...(file === undefined ? [] : [file]), ...(frames ?? []).map((frame) => frame.file)];
}

const MAX_PLACES = 20;

function sourcePlaces(lead: Diagnostic | undefined): Place[] {
  if (lead === undefined) return [];
  const own = lead.file === undefined ? [] : [{ file: lead.file, line: lead.line }];
  const places: Place[] = [...(lead.frames ?? []), ...own].filter(({ file }) => !isTestFileOf(lead, file));
  const keys = places.map(({ file, line }) => `${file}:${line ?? ''}`);
  return places.filter((_, index) => keys.indexOf(keys[index]!) === index).slice(0, MAX_PLACES);
}

function alikeIn(earlier: readonly Reflection[], lead: Diagnostic | undefined): Reflection[] {
  if (lead === undefined) return [];
  return earlier.filter(({ evaluator_output }) =>
    evaluator_output.errors.some(({ fingerprint }) => fingerprint === lead.fingerprint),
  );
}
