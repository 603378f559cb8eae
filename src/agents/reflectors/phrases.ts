import type { Diagnostic } from '../../schema/generated.ts';

/** Failures whose rule is a code of the tool, not a test's name. */
const STATIC: ReadonlySet<Diagnostic['type']> = new Set([
  'syntax_error',
  'type_error',
  'lint_error',
  'other',
]);

/** A place in the repository. */
export interface Place {
  /** Relative to the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly function?: string;
}

/** Text from a tool or an actor as one line of at most `limit` characters, fit to stand in a sentence. */
export function oneLine(text: string, limit = 160): string {
  const flat = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const characters = [...flat];
  return characters.length <= limit ? flat : `${characters.slice(0, limit - 1).join('')}…`;
}

/** `src/a.ts:3`. */
export function spot({ file, line }: Place): string {
  return line === undefined ? oneLine(file) : `${oneLine(file)}:${line}`;
}

/** `` `parse` in src/a.ts:3 ``. */
export function placed(place: Place): string {
  return place.function === undefined ? spot(place) : `\`${oneLine(place.function, 80)}\` in ${spot(place)}`;
}

/** Text from a tool as a part of a sentence: one line, without its own full stop. */
export function clause(text: string, limit = 160): string {
  return oneLine(text, limit).replace(/[.\s]+$/, '');
}

/** What a failure is called: its test, its rule or code, or its kind. */
export function nameOf({ type, rule, test_id, check }: Diagnostic): string {
  const name = rule ?? test_id;
  if (name === undefined) return `a ${type.replace('_', ' ')} of "${oneLine(check, 60)}"`;
  return STATIC.has(type) ? oneLine(name, 100) : `the test "${oneLine(name)}"`;
}

/** What a failure is: name, place, and values where there are some, else its message. */
export function describe(failure: Diagnostic): string {
  const { file, line, expected, received, message } = failure;
  const at = file === undefined ? '' : ` at ${spot({ file, line })}`;
  const valued = expected !== undefined && received !== undefined;
  return `${nameOf(failure)}${at} ${valued ? says(failure) : `(${clause(message, 200)})`}`;
}

/** `expected 3 but received 2`, or `says "…"`. */
export function says({ expected, received, message }: Diagnostic): string {
  if (expected !== undefined && received !== undefined) {
    return `expected ${oneLine(expected, 120)} but received ${oneLine(received, 120)}`;
  }
  return `says "${clause(message, 200)}"`;
}

/** `a`, `a and b`, `a, b and 3 more`: at most `most` items are named. */
export function listed(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

/** `1 edit`, `3 edits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The text as a sentence begins; names of files, codes and tests stay as they are written. */
export function capital(text: string): string {
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
