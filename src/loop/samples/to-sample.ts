import type { Diagnostic, Sample } from '../../schema/generated.ts';
import type { ActedSample } from './sampled-actor.ts';

const PATCH_CHARS = 20_000;

/** The record of a sample in the trajectory of its attempt. */
export function toSample({ number, trajectory, evaluation, changes }: ActedSample, chosen: boolean): Sample {
  return {
    number,
    chosen,
    outcome: trajectory.outcome,
    reward: evaluation?.reward ?? null,
    passed: evaluation?.passed ?? false,
    files: (changes?.files ?? []).map(({ path }) => path).slice(0, 50),
    failures: failuresOf(evaluation?.diagnostics ?? []).slice(0, 20),
    patch: (changes?.patch ?? '').slice(0, PATCH_CHARS),
  };
}

/** Names of the errors, sorted and without repetitions. */
function failuresOf(diagnostics: readonly Diagnostic[]): string[] {
  const names = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ test_id: test, check, message }) =>
      (test ?? `${check}: ${message.split('\n')[0]}`).slice(0, 400),
    );
  return [...new Set(names)].sort();
}
