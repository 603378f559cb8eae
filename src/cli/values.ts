import { usageError } from '../errors.ts';
import { nearest } from '../platform/text/nearest.ts';

/** The choice that equals the text. Otherwise throws a usage RalphError with the option and the nearest choice. */
export function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text.trim());
  if (choice !== undefined) return choice;
  const near = nearest(text.trim(), choices);
  throw usageError(
    `${option} ${JSON.stringify(text)} is not one of ${choices.join(', ')}.`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  );
}

/** Labels of jobs and workers. Throws a usage RalphError for one that is empty or has blanks. */
export function parseLabels(labels: readonly string[] = []): readonly string[] {
  const wrong = labels.find((label) => !/^[^\s\p{Cc}]{1,100}$/u.test(label));
  if (wrong === undefined) return labels;
  throw usageError(
    `--labels ${JSON.stringify(wrong.slice(0, 100))} is not a label: labels are words of at most 100 characters.`,
    'For example --labels node20,gpu',
  );
}

/** A whole number of 1 or more, at most `max`. Throws a usage RalphError with the option and its value. */
export function parseWholeNumber(option: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? '1 or more' : `from 1 to ${max}`;
  throw usageError(`${option} ${text}: it must be a whole number, ${range}.`);
}
