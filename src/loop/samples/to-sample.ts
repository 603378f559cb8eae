import type { Diagnostic, Sample, SampleSummary } from '../../schema/generated.ts';
import { endedEarly } from '../ended-early.ts';
import type { ActedSample } from './sampled-actor.ts';
import { FILE_CASE, fileOfCase } from '../../schema/file-case.ts';

const PATCH_CHARS = 20_000;

/** The record of a sample in the trajectory of its attempt. */
export function toSample({ number, trajectory, evaluation, changes }: ActedSample, chosen: boolean): Sample {
  return {
    number,
    chosen,
    outcome: trajectory.outcome,
    ended_early: endedEarly({ trajectory }),
    reward: evaluation?.reward ?? null,
    passed: evaluation?.passed ?? false,
    files: (changes?.files ?? []).map(({ path }) => path).slice(0, 50),
    failures: failuresOf(evaluation?.diagnostics ?? []).slice(0, 20),
    patch: (changes?.patch ?? '').slice(0, PATCH_CHARS),
  };
}

/** The sample as in a verdict, without its files, failures and patch. */
export function summarizeSample({
  number,
  chosen,
  outcome,
  reward,
  passed,
  ended_early,
}: Sample): SampleSummary {
  return { number, chosen, outcome, reward, passed, ended_early };
}

/**
 * Names of the errors, sorted and without repetitions. What failed in a test file beside its tests, such as its load or a hook, is no
 * test: its error names the failure.
 */
function failuresOf(diagnostics: readonly Diagnostic[]): string[] {
  const names = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ test_id: test, rule, check, message }) => {
      const isTest = test !== undefined && rule !== FILE_CASE;
      const where = (test === undefined ? undefined : fileOfCase(test)) ?? check;
      return (isTest ? test : `${where}: ${message.trim().split('\n')[0]}`).slice(0, 400);
    });
  return [...new Set(names)].sort();
}
