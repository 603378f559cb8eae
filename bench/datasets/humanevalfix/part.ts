import { createHash } from 'node:crypto';

/** The problems on which rules and thresholds are chosen, and those on which results are reported. */
export const PARTS = ['tuning', 'reporting'] as const;

export type Part = (typeof PARTS)[number];

/** The part of a problem: fixed by the first byte of the hash of its id, so that nobody chooses it. */
export function partOf(taskId: string): Part {
  return createHash('sha256').update(taskId).digest()[0]! % 2 === 0 ? 'tuning' : 'reporting';
}
