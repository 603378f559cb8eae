import { usageError } from '../../../errors.ts';
import { parseWholeNumber } from '../../values.ts';

const MAX_JOBS = 256;

/** The value of `--jobs`. Throws a usage error. */
export function parseJobs(text: string): number {
  return parseWholeNumber('--jobs', text, MAX_JOBS);
}

/** A time limit in seconds, above 0 and at most a day. Throws a usage error. */
export function parseSeconds(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 86_400) return value;
  throw usageError(`${option} ${text}: it must be a number of seconds above 0, at most 86400.`);
}

/** A share, 0..1. Throws a usage error. */
export function parseShare(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`${option} ${text}: it must be a number from 0 to 1.`);
}

/** An amount of US dollars above 0. Throws a usage error. */
export function parseDollars(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw usageError(`${option} ${text}: it must be a number of US dollars above 0.`);
}

/** The items of a list separated by commas. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
