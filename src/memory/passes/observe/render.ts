import type { Observation, ObservedError } from '../../../schema/generated.ts';
import { plural } from '../../../platform/text/plural.ts';

/** An observation as lines that quotes can be taken from: outcome, failures, changed files, commands. */
export function renderObservation(observation: Observation): string {
  const { errors, fixed, files, commands } = observation;
  return [
    renderOutcome(observation),
    ...errors.map(renderError),
    ...(fixed.length === 0 ? [] : [`fixed: ${plural(fixed.length, 'failure')}`]),
    ...files.map((file) => `changed ${file}`),
    ...commands.map(renderCommand),
  ].join('\n');
}

/** `ran vitest run (tests)`. */
export function renderCommand({ check, command }: Observation['commands'][number]): string {
  return `ran ${command} (${check})`;
}

/** `failed, reward 0.500 (+0.250)`. */
export function renderOutcome({ passed, reward, reward_change: change }: Observation): string {
  const sign = change < 0 ? '' : '+';
  return `${passed ? 'passed' : 'failed'}, reward ${reward.toFixed(3)} (${sign}${change.toFixed(3)})`;
}

/** `tests: adds in test/a.test.js: 2 is not 3`. */
export function renderError({ check, rule, file, message }: ObservedError): string {
  const name = [rule, file].filter((part) => part !== undefined).join(' in ');
  return `${check}: ${name === '' ? '' : `${name}: `}${message}`;
}
