import { inspect } from 'node:util';
import { decodeValue } from './call-values.ts';
import type { RepeatableCall } from './repeat-calls.ts';

const MAX_CHARS = 200;
const HOW = { depth: 5, breakLength: Infinity, maxStringLength: MAX_CHARS, maxArrayLength: 20 } as const;

/** The arguments of a call as a reader would write them: `(2, 'a')`. */
export function shownArguments({ args }: Pick<RepeatableCall, 'args'>): string {
  try {
    const values = decodeValue(args) as unknown[];
    return `(${short(values.map((it) => inspect(it, HOW)).join(', '))})`;
  } catch {
    return short(args);
  }
}

/** A result as a reader would write it; that of an error, and one that cannot be read, as it was recorded. */
export function shownResult(result: string): string {
  try {
    return short(inspect(decodeValue(result), HOW));
  } catch {
    return short(result);
  }
}

function short(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
