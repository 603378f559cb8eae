import type { Candidate } from '../../repair/syntax/edit.ts';
import { editedRange } from '../../repair/syntax/edit.ts';
import { createSyntaxCheck } from '../../repair/syntax/syntax-check.ts';
import { sitesOf } from '../../repair/syntax/walk.ts';
import type { SurvivingMutant } from '../../schema/generated.ts';
import { changesCode, type ChangedSource } from './changed-source.ts';
import { MUTATORS } from './mutators/index.ts';
import type { Mutation } from './mutators/mutator.ts';

/** A mutant of one changed line. */
export interface Mutant extends SurvivingMutant {
  readonly source: ChangedSource;
  readonly candidate: Candidate;
}

const MAX_PER_LINE = 3;
/** A change of a few lines gets as many mutants, more for each line. */
const LEAST_IN_ALL = 12;
const MAX_TEXT = 200;

/**
 * Mutants of the changed lines, at most `limit`: first one for each line, then the second of each, and so on. The same
 * sources give the same list. Mutants that do not parse or differ only in layout, and those of the `unexecuted` lines (by
 * file), are left out.
 */
export function proposeMutants(
  sources: readonly ChangedSource[],
  {
    limit,
    unexecuted,
  }: { readonly limit: number; readonly unexecuted: ReadonlyMap<string, readonly number[]> },
): Mutant[] {
  const lines = sources.flatMap((source) => {
    const byLine = Map.groupBy(mutantsOf(source), ({ line }) => line);
    const executed = source.codeLines.filter((line) => unexecuted.get(source.file)?.includes(line) !== true);
    return executed.map((line) => byLine.get(line) ?? []);
  });
  const perLine = Math.max(MAX_PER_LINE, Math.floor(LEAST_IN_ALL / lines.length));
  const rounds = Array.from({ length: Math.min(perLine, LEAST_IN_ALL) }, (_, at) =>
    lines.map((mutants) => mutants[at]).filter((mutant) => mutant !== undefined),
  );
  return rounds.flat().slice(0, limit);
}

/** In the order of the mutators, so that the most telling mutants of a line come first. */
function mutantsOf(source: ChangedSource): Mutant[] {
  const { parsed, codeLines } = source;
  const lines = new Set(codeLines);
  const sites = sitesOf(parsed.tree.program).filter(({ node }) =>
    touches(node.loc!.start.line, node.loc!.end.line, lines),
  );
  const isSound = createSyntaxCheck(parsed);
  const seen = new Set<string>();
  const mutants: Mutant[] = [];
  for (const [name, mutate] of Object.entries(MUTATORS)) {
    for (const site of sites) {
      for (const mutation of mutate(site, parsed.text)) {
        const mutant = describe({ source, name, mutation });
        const { signature, edits } = mutant.candidate;
        if (!lines.has(mutant.line) || seen.has(signature)) continue;
        seen.add(signature);
        if (isSound(site, edits) && changesCode(parsed, edits)) mutants.push(mutant);
      }
    }
  }
  return mutants;
}

function touches(first: number, last: number, lines: ReadonlySet<number>): boolean {
  if (last - first > lines.size) return [...lines].some((line) => first <= line && line <= last);
  for (let line = first; line <= last; line++) if (lines.has(line)) return true;
  return false;
}

function describe({
  source,
  name,
  mutation,
}: {
  readonly source: ChangedSource;
  readonly name: string;
  readonly mutation: Mutation;
}): Mutant {
  const { file, parsed } = source;
  const { start, end, replacement } = mutation;
  const edit = { file, start, end, replacement };
  const shown = shownRange(mutation);
  const before = oneLine(parsed.text.slice(shown.start, shown.end));
  const after = oneLine(editedRange(parsed.text, [edit], shown)) || '(removed)';
  const line = parsed.text.slice(0, start).split('\n').length;
  const signature = `${file}:${start}-${end} ${replacement}`;
  const candidate = { edits: [edit], operator: name, line, signature, prior: 1 };
  return { source, candidate, file, line, before, after };
}

/** The range that people are shown: the node around the edit if it is short, or else the edit alone. */
function shownRange({ start, end, shown }: Mutation): { start: number; end: number } {
  if (shown === undefined) return { start, end };
  return shown.start <= start && end <= shown.end && shown.end - shown.start <= MAX_TEXT
    ? shown
    : { start: Math.min(start, shown.start), end };
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= MAX_TEXT ? flat : `${flat.slice(0, MAX_TEXT - 1)}…`;
}
