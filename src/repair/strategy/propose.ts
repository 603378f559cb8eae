import { join } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../schema/generated.ts';
import { candidateStream } from '../operators/propose/candidates.ts';
import { proposeRepeats } from '../combine/repeats.ts';
import { crashesOf } from '../syntax/crashes.ts';
import type { Candidate } from '../syntax/edit.ts';
import { type ExperienceFactors, NO_FACTORS } from './experience.ts';
import { literalsIn, quotedIn, stringsNear, type Hints } from '../syntax/literals.ts';
import { caseStrings } from '../syntax/case-strings.ts';
import { testedOptions } from '../syntax/tested-options.ts';
import type { Suspect } from '../localise/localise.ts';
import { suspicionAt } from '../syntax/regions.ts';
import { bestFirst } from './best-first.ts';
import type { TypedMembers } from '../fixers/typed-members.ts';
import type { FitOf, Habits } from '../habits/habits.ts';

/** A request for the edits worth trying on a group of failures. */
export interface ProposalRequest {
  /** Absolute path of the tree. */
  readonly root: string;
  /** Relative to the root. */
  readonly testFile: string;
  readonly suspects: readonly Suspect[];
  /** The failures. */
  readonly diagnostics: readonly Diagnostic[];
  /** Largest number of candidates. */
  readonly limit: number;
  readonly factors?: ExperienceFactors;
  /** What the repository makes usual; all edits fit equally without it. */
  readonly habits?: Habits | undefined;
  /** Members that fit by type, by file. */
  readonly typedMembers?: TypedMembers;
  /** Ends the search; files that were not read by then have no candidates. */
  readonly signal?: AbortSignal;
}

/** A candidate and how promising it is. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  /** Its prior times the suspicion of its place; what passes is compared by it. */
  readonly score: number;
  /** The score times how well the edit fits the repository: only the order of trials depends on it. */
  readonly order: number;
}

/**
 * Candidates for all suspects, most promising first, of equal ones the smaller: single edits, and one edit at several
 * places. A file is read only if one of its edits may be among them.
 */
export async function proposeRanked(request: ProposalRequest): Promise<RankedCandidate[]> {
  const { suspects, limit, signal } = request;
  const hints = await hintsFrom(request);
  const files = new Map<string, SearchedText>();
  const most = request.habits?.most ?? 1;
  const sources = suspects.map((suspect) => ({
    most: most * Math.max(...suspect.regions.map(({ weight }) => weight)) * fileFactor(request, suspect.file),
    open: async (): Promise<Iterator<RankedCandidate>> => {
      // A file can take seconds on a loaded machine: timers and signals of the process get their turn in between.
      await setImmediate();
      if (signal?.aborted === true) return [].values();
      const text = await readTreeText(join(request.root, suspect.file));
      const file = { text, hints, fit: request.habits?.fitIn(suspect.file, text) };
      files.set(suspect.file, file);
      return singlesOf(request, suspect, file);
    },
  }));
  const singles: RankedCandidate[] = [];
  if (limit > 0) for await (const single of bestFirst(sources)) if (singles.push(single) >= limit) break;
  const repeats = suspects.flatMap((suspect) =>
    repeatsOf(request, suspect, { ...files.get(suspect.file), singles }),
  );
  return [...singles, ...repeats]
    .sort((a, b) => b.order - a.order || sizeOf(a.candidate) - sizeOf(b.candidate))
    .slice(0, limit);
}

/** A suspicious file as it was read, with how edits of it fit the repository. */
interface SearchedText {
  readonly text: string;
  readonly hints: Hints;
  readonly fit: FitOf | undefined;
}

function* singlesOf(
  { factors, limit, typedMembers }: ProposalRequest,
  { file, regions }: Suspect,
  { text, hints, fit }: SearchedText,
): Generator<RankedCandidate> {
  const factor = fileFactor({ factors }, file);
  for (const { candidate, score, order } of candidateStream({
    file,
    text,
    regions,
    hints,
    limit,
    fit,
    favour: factors?.operators,
    typedMembers: typedMembers?.get(file),
  }))
    yield { candidate, score: score * factor, order: order * factor };
}

function repeatsOf(
  request: ProposalRequest,
  { file, regions }: Suspect,
  { text, fit, singles }: Partial<SearchedText> & { readonly singles: readonly RankedCandidate[] },
): RankedCandidate[] {
  if (text === undefined) return [];
  const candidates = singles.map(({ candidate }) => candidate);
  return proposeRepeats({ file, text, candidates, regions }).map((candidate) => {
    const suspicion = suspicionAt(candidate.edits[0]!.start, regions);
    const score = candidate.prior * suspicion * fileFactor(request, file);
    return { candidate, score, order: score * (fit === undefined ? 1 : averageFit(fit, candidate)) };
  });
}

/** How well an edit at several places fits: on average, because it makes the same change everywhere. */
function averageFit(fit: FitOf, { edits }: Candidate): number {
  const sum = edits.reduce((logs, edit) => logs + Math.log(fit([edit])), 0);
  return Math.exp(sum / edits.length);
}

function fileFactor({ factors = NO_FACTORS }: Pick<ProposalRequest, 'factors'>, file: string): number {
  return factors.files.get(file) ?? 1;
}

/** Number of characters that a candidate removes and inserts. */
function sizeOf({ edits }: Candidate): number {
  return edits.reduce((sum, { start, end, replacement }) => sum + (end - start) + replacement.length, 0);
}

async function hintsFrom({ root, testFile, diagnostics }: ProposalRequest): Promise<Hints> {
  const text = await readTreeText(join(root, testFile));
  const values = (of: 'expected' | 'received'): string[] =>
    diagnostics.map((diagnostic) => diagnostic[of]).filter((value) => value !== undefined);
  const failed = diagnostics.flatMap(({ file, line }) =>
    file === testFile && line !== undefined ? [line] : [],
  );
  const quoted = diagnostics.flatMap(({ message }) => quotedIn(message));
  const titles = diagnostics.flatMap(({ test_id }) => test_id ?? []);
  const cases = caseStrings(testFile, text, { lines: failed, quoted, titles });
  const lines = [...cases.lines, ...failed];
  const near = [...new Set([...quoted, ...stringsNear(testFile, text, lines)])];
  return {
    expected: values('expected'),
    received: values('received'),
    literals: literalsIn(testFile, text),
    near: near.length === 0 ? undefined : near,
    crashes: crashesOf(diagnostics),
    options: testedOptions(testFile, text, lines),
    cases,
  };
}
