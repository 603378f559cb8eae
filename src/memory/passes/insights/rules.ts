import { oneLine } from '../../../platform/text/one-line.ts';
import type { Observation, ObservedError } from '../../../schema/generated.ts';
import { listFiles } from '../common/list-files.ts';
import { clampImportance } from '../observe/importance.ts';
import { MOST_EVIDENCE, type Proposal } from './proposal.ts';
import { REQUESTED } from './settings.ts';

/** Attempts in which something must occur to be more than a coincidence. */
const OFTEN = 2;

/** True for a sentence of the rules below, which say only what attempts showed. */
export function isRuledInsight(text: string): boolean {
  return /^Several attempts (?:left .+ failing: |changed `.+` without progress\.$)|^.+ went away when .+ changed\.$/.test(
    text,
  );
}

/**
 * Insights without a model: fixed failures and the files that were changed for them, recurring failures, files that
 * attempts change without progress. The five most important.
 */
export function insightsByRules(observations: readonly Observation[]): Proposal[] {
  const proposals = [
    ...fixedFailures(observations),
    ...recurringFailures(observations),
    ...fruitlessFiles(observations),
  ];
  return proposals
    .map((proposal, index) => ({ proposal, index }))
    .sort((a, b) => b.proposal.importance - a.proposal.importance || a.index - b.index)
    .slice(0, REQUESTED.most)
    .map(({ proposal }) => proposal);
}

/**
 * A failure of earlier attempts that one attempt fixed, shown by that attempt alone. Not said where an earlier attempt changed these
 * files too and left the failure: that they changed is then not what fixed it.
 */
function fixedFailures(observations: readonly Observation[]): Proposal[] {
  return observations.flatMap((observation, at) => {
    const { fixed, files, reward_change: change, importance } = observation;
    if (fixed.length === 0 || files.length === 0 || change <= 0) return [];
    const earlier = observations.slice(0, at);
    const error = lastError(fixed, earlier);
    if (error === undefined) return [];
    const isLeft = (one: Observation): boolean =>
      hasError(one, error.fingerprint) && files.every((file) => one.files.includes(file));
    if (earlier.some(isLeft)) return [];
    const text = `${capitalised(nameOf(error))} went away when ${listFiles(files)} changed.`;
    return [proposal(text, 0.4 + importance / 2, [observation])];
  });
}

/**
 * A failure that was left by several attempts, the last of which did not fix it. The text has no count, so that a later
 * synthesis words it the same.
 */
function recurringFailures(observations: readonly Observation[]): Proposal[] {
  const errors = new Map(
    observations.flatMap(({ errors }) => errors.map((error) => [error.fingerprint, error] as const)),
  );
  return [...errors.values()].flatMap((error) => {
    const evidence = observations.filter((one) => hasError(one, error.fingerprint));
    const last = observations.findLast(
      (one) => hasError(one, error.fingerprint) || one.fixed.includes(error.fingerprint),
    );
    if (evidence.length < OFTEN || last?.fixed.includes(error.fingerprint) === true) return [];
    const text = `Several attempts left ${nameOf(error)} failing: ${oneLine(error.message, 200)}`;
    return [proposal(text, 0.3 + evidence.length / observations.length / 2, evidence)];
  });
}

/** A file that several attempts changed without progress, and none with it: every failure stayed, or the reward fell. */
function fruitlessFiles(observations: readonly Observation[]): Proposal[] {
  const fruitless = observations.filter(
    ({ passed, fixed, fresh, reward_change: change }) =>
      !passed && fixed.length === 0 && (change < 0 || (change === 0 && fresh.length === 0)),
  );
  const helpful = new Set(
    observations.filter((one) => one.passed || one.fixed.length > 0).flatMap((one) => one.files),
  );
  const files = new Set(fruitless.flatMap((one) => one.files).filter((file) => !helpful.has(file)));
  return [...files].flatMap((file) => {
    const evidence = fruitless.filter((one) => one.files.includes(file));
    if (evidence.length <= OFTEN) return [];
    const text = `Several attempts changed \`${file}\` without progress.`;
    return [proposal(text, 0.25 + evidence.length / observations.length / 2, evidence)];
  });
}

function proposal(text: string, importance: number, evidence: readonly Observation[]): Proposal {
  return {
    text: oneLine(text, 500),
    importance: clampImportance(importance),
    evidence: evidence.slice(-MOST_EVIDENCE),
    verified: true,
  };
}

function lastError(
  fingerprints: readonly string[],
  earlier: readonly Observation[],
): ObservedError | undefined {
  return earlier
    .flatMap(({ errors }) => errors)
    .findLast(({ fingerprint }) => fingerprints.includes(fingerprint));
}

function hasError({ errors }: Observation, fingerprint: string): boolean {
  return errors.some((error) => error.fingerprint === fingerprint);
}

function nameOf({ check, rule, file, type }: ObservedError): string {
  const kind = type === 'other' ? 'failure' : type.replaceAll('_', ' ');
  const name = rule === undefined ? `a ${kind} of "${check}"` : `"${oneLine(rule, 120)}"`;
  return file === undefined ? name : `${name} in \`${file}\``;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
