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

/** A whole number of 1 or more, at most `max`. Throws a usage RalphError with the option and its value. */
export function parseWholeNumber(option: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? '1 or more' : `from 1 to ${max}`;
  throw usageError(`${option} ${text}: it must be a whole number, ${range}.`);
}
