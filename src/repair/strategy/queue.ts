import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '../../schema/generated.ts';
import { specialCases } from '../choose/answers.ts';
import { proposeCandidates } from '../operators/propose/candidates.ts';
import { sizeOf } from './change-text.ts';
import { proposeRepeats } from '../combine/repeats.ts';
import type { Candidate } from '../syntax/edit.ts';
import { type Favour, NO_FAVOUR } from './experience.ts';
import { literalsIn, quotedIn, stringsNear, type Hints } from '../syntax/literals.ts';
import type { Suspect } from '../localise/localise.ts';
import { suspicionAt } from '../syntax/regions.ts';
import type { TypedMembers } from '../fixers/typed-members.ts';

export interface QueueRequest {
  readonly root: string;
  readonly testFile: string;
  readonly suspects: readonly Suspect[];
  readonly diagnostics: readonly Diagnostic[];
  readonly limit: number;
  readonly favour?: Favour;
  /** Members that the type checker says fit, by file. */
  readonly typedMembers?: TypedMembers;
}

/** A candidate and how promising it is: its prior times the suspicion of its place. */
export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
}

/**
 * Candidates for all suspects in one order, single edits and one edit at several places: the most promising
 * first, of equal ones the smaller.
 */
export async function queueCandidates(request: QueueRequest): Promise<Scored[]> {
  const { root, suspects, limit, favour = NO_FAVOUR, typedMembers } = request;
  const hints = await hintsFrom(request);
  const scored: Scored[] = [];
  for (const { file, regions } of suspects) {
    const text = await readFile(join(root, file), 'utf8');
    const members = typedMembers?.get(file);
    const singles = proposeCandidates({
      ...{ file, text, regions, hints, limit, favour: favour.operators },
      ...(members && { typedMembers: members }),
    });
    const repeats = proposeRepeats({ file, text, candidates: singles, regions });
    const place = favour.files.get(file) ?? 1;
    for (const candidate of [...singles, ...repeats]) {
      if (specialCases(candidate, hints.expected, text)) continue;
      const suspicion = suspicionAt(candidate.edits[0]!.start, regions);
      scored.push({ candidate, score: candidate.prior * suspicion * place });
    }
  }
  return scored
    .sort((a, b) => b.score - a.score || sizeOf(a.candidate) - sizeOf(b.candidate))
    .slice(0, limit);
}

async function hintsFrom({ root, testFile, diagnostics }: QueueRequest): Promise<Hints> {
  const text = await readFile(join(root, testFile), 'utf8');
  const values = (of: 'expected' | 'received'): string[] =>
    diagnostics.map((diagnostic) => diagnostic[of]).filter((value) => value !== undefined);
  const lines = diagnostics.flatMap(({ file, line }) =>
    file === testFile && line !== undefined ? [line] : [],
  );
  const told = diagnostics.flatMap(({ message }) => quotedIn(message));
  const near = [...new Set([...told, ...stringsNear(testFile, text, lines)])];
  const literals = literalsIn(testFile, text);
  return {
    expected: values('expected'),
    received: values('received'),
    literals,
    ...(near.length > 0 && { near }),
  };
}
