import { createHash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import type { Diagnostic } from '../../schema/generated.ts';

/** The parts of a diagnostic that identify a failure; its line is not one of them. */
export type FailureIdentity = Pick<Diagnostic, 'check' | 'type' | 'message'> &
  Partial<Pick<Diagnostic, 'file' | 'rule' | 'test_id'>>;

/**
 * 12 lower-case hex digits that identify a failure. They stay the same when lines move, durations differ or the tree is
 * in another folder, and change with the message.
 */
export function fingerprint(failure: FailureIdentity): string {
  const identity = [
    failure.check,
    failure.type,
    failure.file ?? '',
    failure.test_id ?? failure.rule ?? '',
    normaliseMessage(failure.message),
  ];
  return createHash('sha256').update(identity.join('\0')).digest('hex').slice(0, 12);
}

/** Parts of a message that differ between two runs of one failure. Other numbers are values and stay. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/^\s*(>\s*)?\d*\s*[|│].*$/gm, ''],
  [/^\s*at .*:\d+:\d+\)?$/gm, ''],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b0x[0-9a-f]+\b/gi, '<address>'],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, '$1:<port>'],
  [/(file:\/\/)?\/(home|Users|tmp|var|private|root|opt|usr|mnt|srv)\/[^\s'"`),:;]+/g, '<path>'],
  [/\b[A-Za-z]:\\[^\s'"`),:;]+/g, '<path>'],
  [/\b\d+(\.\d+)?\s?(ms|milliseconds?|s|secs?|seconds?|min|minutes?)\b/g, '<duration>'],
  [/(\.\w+|<path>):\d+(:\d+)?/g, '$1:<position>'],
  [/\(\d+[,:]\d+\)/g, '(<position>)'],
  [/\b(lines?|columns?|col)( |: ?)\d+/gi, '$1 <position>'],
  [/\s+/g, ' '],
];

function normaliseMessage(message: string): string {
  return VOLATILE.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    stripVTControlCharacters(message),
  ).trim();
}
