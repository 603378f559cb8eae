import { hash } from 'node:crypto';
import type { Candidate, Edit } from '../syntax/edit.ts';
import { resultKey } from '../syntax/result-key.ts';

/** Candidates of one file that are combined into one. */
export interface Combination {
  /** Sorted by their first edit, no two of them overlapping. */
  readonly parts: readonly Candidate[];
  /** Operator name of the combined candidate. */
  readonly operator: string;
  readonly prior: number;
}

const FILE_LIMIT = 200;
const SHOWN_LIMIT = 280;
/** Edits further apart than these characters cannot have the same result as a single edit. */
const FAR = 80;

/** The candidates' edits, sorted; undefined if two of them overlap or insert at the same place. */
export function mergeEdits(candidates: readonly Candidate[]): readonly Edit[] | undefined {
  const edits = candidates.flatMap((candidate) => candidate.edits);
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  const clashes = edits.some((edit, index) => index > 0 && clash(edits[index - 1]!, edit));
  return clashes ? undefined : edits;
}

/** Combines candidates into one. Its signature changes only if the signature of a part changes. */
export function combine({ parts, operator, prior }: Combination, edits: readonly Edit[]): Candidate {
  return { edits, operator, line: parts[0]!.line, signature: jointSignature(parts), prior };
}

/**
 * A key that is equal for edits with the same result; undefined for edits that change nothing. Edits far from each
 * other contribute separately, so that the cost does not grow with the file.
 */
export function joinedKey(text: string, edits: readonly Edit[]): string | undefined {
  const keys = clustersOf(edits)
    .map((cluster) => resultKey(text, cluster))
    .filter((key) => key !== undefined);
  return keys.length === 0 ? undefined : keys.join('\n');
}

/** Whether the key of both lists of edits is the keys of the two joined. */
export function areFar(before: readonly Edit[], after: readonly Edit[]): boolean {
  return after[0]!.start - before.at(-1)!.end > FAR;
}

function clustersOf(edits: readonly Edit[]): Edit[][] {
  const clusters: Edit[][] = [];
  for (const edit of edits) {
    const last = clusters.at(-1);
    if (last === undefined || areFar(last, [edit])) clusters.push([edit]);
    else last.push(edit);
  }
  return clusters;
}

/** `file: before → after and before → after @hash`, at most 500 characters; equal changes are listed once. */
function jointSignature(parts: readonly Candidate[]): string {
  const { file } = parts[0]!.edits[0]!;
  const shown = new Map<string, number>();
  for (const part of parts) {
    const change = changeIn(part);
    shown.set(change, (shown.get(change) ?? 0) + 1);
  }
  const changes = [...shown].map(([change, times]) => (times > 1 ? `${change} (${times} places)` : change));
  const digest = hash('sha256', parts.map(({ signature }) => signature).join('\0')).slice(0, 10);
  return `${file.slice(-FILE_LIMIT)}: ${cut(changes)} @${digest}`;
}

const CHANGES = new WeakMap<Candidate, string>();

/** `before → after` out of a candidate's signature. */
function changeIn(candidate: Candidate): string {
  const known = CHANGES.get(candidate);
  if (known !== undefined) return known;
  const { signature, edits } = candidate;
  const rest = signature.slice(Math.min(edits[0]!.file.length, FILE_LIMIT) + ': '.length);
  const change = rest.slice(0, rest.lastIndexOf(' @'));
  CHANGES.set(candidate, change);
  return change;
}

/** The first three changes, each shortened to an equal share of the limit, and the number of the others. */
function cut(changes: readonly string[]): string {
  const shown = changes.slice(0, 3);
  const share = Math.floor(SHOWN_LIMIT / shown.length) - ' and '.length;
  const sides = shown.map((change) => {
    const arrow = change.indexOf(' → ');
    const half = (share - 3) >> 1;
    return `${shorten(change.slice(0, arrow), half)} → ${shorten(change.slice(arrow + 3), half)}`;
  });
  const more = changes.length - shown.length;
  return sides.join(' and ') + (more > 0 ? ` and ${more} more` : '');
}

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

function clash(before: Edit, after: Edit): boolean {
  if (after.start < before.end) return true;
  return after.start === before.start && after.end === before.end;
}
