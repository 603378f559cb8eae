import type { Coded } from '../tested-inputs/neighbours.ts';

/** The members of a value as `encodeValue` writes it, of which it has those of its kind. */
export interface Parts {
  readonly n?: string;
  readonly u?: number;
  readonly b?: string;
  readonly d?: number | null;
  readonly a?: readonly Coded[];
  readonly o?: readonly (readonly [string, Coded])[];
  readonly m?: unknown;
  readonly s?: readonly Coded[];
}

/** The kind of a value in the text of `encodeValue`; `other` for one that has no plain form. */
export function kindOf(value: Coded): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const { n, u, b, d, a, o, m, s } = value as Parts;
  if (n !== undefined) return 'number';
  if (u !== undefined) return 'undefined';
  if (b !== undefined) return 'bigint';
  if (d !== undefined) return 'date';
  if (a !== undefined) return 'list';
  if (m !== undefined) return 'map';
  if (s !== undefined) return 'set';
  return o === undefined ? 'other' : 'object';
}
