import type { Diagnostic } from '../../schema/generated.ts';

/** Types whose rule is an error code of a tool, not the name of a test. */
const STATIC: ReadonlySet<Diagnostic['type']> = new Set([
  'syntax_error',
  'type_error',
  'lint_error',
  'other',
]);

/** A place in a file of the repository. */
export interface Place {
  /** Relative to the repository's root. */
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly function?: string;
}

/** Text of a tool or an actor as one line of at most `limit` characters, without control characters. */
export function oneLine(text: string, limit = 160): string {
  const flat = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const characters = [...flat];
  return characters.length <= limit ? flat : `${characters.slice(0, limit - 1).join('')}…`;
}

/** `src/a.ts:3`. */
export function renderPlace({ file, line }: Place): string {
  return line === undefined ? oneLine(file) : `${oneLine(file)}:${line}`;
}

/** `` `parse` in src/a.ts:3 ``. */
export function renderFunctionPlace(place: Place): string {
  return place.function === undefined
    ? renderPlace(place)
    : `\`${oneLine(place.function, 80)}\` in ${renderPlace(place)}`;
}

/** Text of a tool as part of a sentence: one line without a full stop at its end. */
export function clause(text: string, limit = 160): string {
  return oneLine(text, limit).replace(/[.\s]+$/, '');
}

/** Name of a failure: its test, its rule or error code, or its type. */
export function failureName({ type, rule, test_id, check }: Diagnostic): string {
  const name = rule ?? test_id;
  if (name === undefined) return `a ${type.replace('_', ' ')} of "${oneLine(check, 60)}"`;
  return STATIC.has(type) ? oneLine(name, 100) : `the test "${oneLine(name)}"`;
}

/** A failure with name, place, and its values or message: `TS2345 at src/cart.ts:30 (…)`. */
export function describeFailure(failure: Diagnostic): string {
  const { file, line, expected, received, message } = failure;
  const at = file === undefined ? '' : ` at ${renderPlace({ file, line })}`;
  const valued = expected !== undefined && received !== undefined;
  return `${failureName(failure)}${at} ${valued ? describeResult(failure) : `(${clause(message, 200)})`}`;
}

/** `expected 3 but received 2`, or `reports "…"` for a failure without values. */
export function describeResult({ expected, received, message }: Diagnostic): string {
  if (expected !== undefined && received !== undefined) {
    return `expected ${oneLine(expected, 120)} but received ${oneLine(received, 120)}`;
  }
  return `reports "${clause(message, 200)}"`;
}

/** Joins items to `a`, `a and b` or `a, b and 3 more`, naming at most `most`. */
export function joinList(items: readonly string[], most = 3): string {
  const shown = items.slice(0, most);
  const rest = items.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)!}`;
}

/** Capitalises a text that begins with a word; file names, error codes and test names are kept. */
export function capitalise(text: string): string {
  return /^[a-z]+ /.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
