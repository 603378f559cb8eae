import type { Observation, ObservedError } from '../../../schema/generated.ts';
import { clampImportance } from '../observe/importance.ts';
import { oneLine } from '../common/one-line.ts';
import { ASKED } from './settings.ts';
import type { Proposal } from './proposal.ts';

/** In how many attempts something must show before it is more than an accident. */
const OFTEN = 2;

/**
 * Insights without a model: failures that came back, failures that went away and what was changed then, files that
 * attempts keep changing in vain. The most important five.
 */
export function insightsByRules(observations: readonly Observation[]): Proposal[] {
  const proposals = [
    ...mended(observations),
    ...stubborn(observations),
    ...churned(observations),
    ...slow(observations),
  ];
  return proposals
    .map((proposal, index) => ({ proposal, index }))
    .sort((a, b) => b.proposal.importance - a.proposal.importance || a.index - b.index)
    .slice(0, ASKED.most)
    .map(({ proposal }) => proposal);
}

/** A failure that earlier attempts showed, and one that brought it to an end. */
function mended(observations: readonly Observation[]): Proposal[] {
  return observations.flatMap((observation, at) => {
    const { fixed, files, reward_change: change, importance } = observation;
    if (fixed.length === 0 || files.length === 0 || change <= 0) return [];
    const earlier = observations.slice(0, at);
    const error = errorOf(fixed, earlier);
    if (error === undefined) return [];
    const before = earlier.filter((one) => shows(one, error.fingerprint));
    const text = `${named(error)} went away when ${list(files)} changed.`;
    return [proposal(text, 0.4 + importance / 2, [...before, observation])];
  });
}

/** The same failure in several attempts. How many they are is in the evidence: a later look says the same words. */
function stubborn(observations: readonly Observation[]): Proposal[] {
  const errors = new Map(
    observations.flatMap(({ errors }) => errors.map((error) => [error.fingerprint, error] as const)),
  );
  return [...errors.values()].flatMap((error) => {
    const evidence = observations.filter((one) => shows(one, error.fingerprint));
    if (evidence.length < OFTEN) return [];
    const text = `${named(error)} keeps coming back: ${oneLine(error.message, 200)}`;
    return [proposal(text, 0.3 + evidence.length / observations.length / 2, evidence)];
  });
}

/** A file that attempts changed and gained nothing by. */
function churned(observations: readonly Observation[]): Proposal[] {
  const vain = observations.filter((one) => !one.passed && one.reward_change <= 0);
  const files = new Set(vain.flatMap((one) => one.files));
  return [...files].flatMap((file) => {
    const evidence = vain.filter((one) => one.files.includes(file));
    if (evidence.length <= OFTEN) return [];
    const text = `Changing \`${file}\` gained nothing again and again: the cause may lie elsewhere.`;
    return [proposal(text, 0.25 + evidence.length / observations.length / 2, evidence)];
  });
}

/** A loop that passed, and not at once. */
function slow(observations: readonly Observation[]): Proposal[] {
  return observations.flatMap((last) => {
    if (!last.passed || last.iteration === 0 || last.files.length === 0) return [];
    const evidence = observations.filter((one) => one.loop_id === last.loop_id);
    const text = `"${oneLine(last.task, 120)}" passed in attempt ${last.iteration + 1}, with ${list(last.files)} changed.`;
    return [proposal(text, 0.35, evidence)];
  });
}

function proposal(text: string, importance: number, evidence: readonly Observation[]): Proposal {
  return {
    text: oneLine(text, 500),
    importance: clampImportance(importance),
    evidence: evidence.slice(-20),
    verified: true,
  };
}

function errorOf(
  fingerprints: readonly string[],
  earlier: readonly Observation[],
): ObservedError | undefined {
  return earlier
    .flatMap(({ errors }) => errors)
    .findLast(({ fingerprint }) => fingerprints.includes(fingerprint));
}

function shows({ errors }: Observation, fingerprint: string): boolean {
  return errors.some((error) => error.fingerprint === fingerprint);
}

function named({ check, rule, file, type }: ObservedError): string {
  const name = rule === undefined ? `A ${type.replaceAll('_', ' ')} of ${check}` : `"${oneLine(rule, 120)}"`;
  return file === undefined ? name : `${name} in \`${file}\``;
}

function list(files: readonly string[]): string {
  const shown = files.slice(0, 3).map((file) => `\`${file}\``);
  return shown.join(', ') + (files.length > shown.length ? ` and ${files.length - shown.length} more` : '');
}
