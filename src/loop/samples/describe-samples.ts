import type { Sample } from '../../schema/generated.ts';

const MOST_NAMES = 3;

/**
 * Sentences on attempts that were made at the same time, for the reflection and for people: which one is the result, and what each did;
 * those that did the same are counted together.
 */
export function describeSamples(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const text of samples.map(describeOne)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const parts = [...counts].map(([text, count]) => `${count} of ${samples.length} ${text}.`);
  const chosen = samples.find((one) => one.chosen);
  const others = samples.filter((one) => one !== chosen && isAsGood(one, chosen));
  const rank =
    others.length === 0
      ? 'was the best'
      : `stands for the attempt, and ${others.length === 1 ? 'number' : 'numbers'} ${listed(others.map(({ number }) => String(number)))} left as many failures`;
  return `Of ${samples.length} attempts at the same time, number ${chosen?.number} ${rank}. ${parts.join(' ')}`;
}

/** True for an attempt that no figure tells from the chosen one. */
function isAsGood({ failures, passed, reward }: Sample, chosen: Sample | undefined): boolean {
  return (
    reward !== null &&
    reward === chosen?.reward &&
    passed === chosen.passed &&
    failures.length === chosen.failures.length
  );
}

function describeOne({ failures, files, outcome, passed, reward }: Sample): string {
  if (reward === null) return outcome === 'failed' ? 'could not run' : 'was not evaluated';
  if (files.length === 0) return 'changed no file';
  const edited = `changed ${listed(files)}`;
  if (passed) return `${edited} and passed every check`;
  if (failures.length === 0) return `${edited} and did not pass`;
  const count = failures.length === 1 ? 'one failure' : `${failures.length} failures`;
  return `${edited} and left ${count}: ${listed(failures)}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
