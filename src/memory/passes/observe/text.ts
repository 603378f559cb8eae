import type { Observation, ObservedError } from '../../../schema/generated.ts';

/** An attempt as a few lines that quotes can be taken from: outcome, failures, files, commands. */
export function observationText(observation: Observation): string {
  const { errors, fixed, files, commands } = observation;
  return [
    outcomeLine(observation),
    ...errors.map(errorLine),
    ...(fixed.length === 0 ? [] : [`went away: ${fixed.length} failures`]),
    ...files.map((file) => `changed ${file}`),
    ...commands.map(ranLine),
  ].join('\n');
}

/** `ran vitest run (tests)`. */
export function ranLine({ check, command }: Observation['commands'][number]): string {
  return `ran ${command} (${check})`;
}

/** `failed, reward 0.500 (+0.250)`. */
export function outcomeLine({ passed, reward, reward_change: change }: Observation): string {
  const sign = change < 0 ? '' : '+';
  return `${passed ? 'passed' : 'failed'}, reward ${reward.toFixed(3)} (${sign}${change.toFixed(3)})`;
}

/** `tests: adds in test/a.test.js: 2 is not 3`. */
export function errorLine({ check, rule, file, message }: ObservedError): string {
  const name = [rule, file].filter((part) => part !== undefined).join(' in ');
  return `${check}: ${name === '' ? '' : `${name}: `}${message}`;
}
