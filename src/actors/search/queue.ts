import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '../../schema/generated.ts';
import { proposeCandidates } from './candidates.ts';
import { sizeOf } from './change-text.ts';
import type { Candidate } from './edit.ts';
import { literalsIn, type Hints } from './literals.ts';
import type { Suspect } from './localise.ts';
import { suspicionAt } from './rank.ts';

export interface QueueRequest {
  readonly root: string;
  readonly testFile: string;
  readonly suspects: readonly Suspect[];
  readonly diagnostics: readonly Diagnostic[];
  /** Signatures that are not proposed again. */
  readonly exclude: ReadonlySet<string>;
  readonly limit: number;
}

/**
 * Candidates for all suspects in one order: how natural the edit is, times how suspicious its place; of equal
 * ones the smaller edit first.
 */
export async function queueCandidates(request: QueueRequest): Promise<Candidate[]> {
  const { root, suspects, exclude, limit } = request;
  const hints = await hintsFrom(request);
  const scored: { candidate: Candidate; score: number }[] = [];
  for (const { file, regions } of suspects) {
    const text = await readFile(join(root, file), 'utf8');
    for (const candidate of proposeCandidates({ file, text, regions, hints, exclude, limit })) {
      scored.push({ candidate, score: candidate.prior * suspicionAt(candidate.edits[0]!.start, regions) });
    }
  }
  return scored
    .sort((a, b) => b.score - a.score || sizeOf(a.candidate) - sizeOf(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

async function hintsFrom({ root, testFile, diagnostics }: QueueRequest): Promise<Hints> {
  const text = await readFile(join(root, testFile), 'utf8');
  const values = (of: 'expected' | 'received'): string[] =>
    diagnostics.map((diagnostic) => diagnostic[of]).filter((value) => value !== undefined);
  return { expected: values('expected'), received: values('received'), literals: literalsIn(testFile, text) };
}
