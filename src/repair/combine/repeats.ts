import type { Candidate } from '../syntax/edit.ts';
import { endOf, parseSource, startOf } from '../syntax/parse.ts';
import { type Region, suspicionAt } from '../syntax/regions.ts';
import { combine, joinedKey, mergeEdits } from './combination.ts';
import { placeOf } from './places.ts';
import { createSiteIndex, type SiteIndex } from './site-index.ts';
import { createCombinationCheck } from './soundness.ts';

/** A request for edits that make one change at several places of a file. */
export interface RepeatRequest {
  /** Relative to the repository's root; the extension determines the language. */
  readonly file: string;
  readonly text: string;
  /** Single edits; those of other files are ignored. */
  readonly candidates: readonly Candidate[];
  /** Suspicion by place; equal everywhere if absent. The least suspicious place of a repeat counts. */
  readonly regions?: readonly Region[];
  /** Signatures that are not proposed. */
  readonly exclude?: ReadonlySet<string>;
  /** Largest number of repeats; 2,000 if absent. */
  readonly limit?: number;
}

/** Prior of a repeat as a share of its parts' average prior, by what its places have in common. */
const SHARES = { context: 0.5, statement: 0.3, owner: 0.3, file: 0.2, pair: 0.12 } as const;
const LIMIT = 2000;
/** Up to this number of places, every two of them are also proposed alone. */
const PAIRED_PLACES = 6;
/** Changes at more places are not proposed. */
const MOST_PLACES = 24;

interface Repeat {
  readonly parts: readonly Candidate[];
  readonly share: number;
}

/**
 * The same change by the same operator at several places at once, most promising first: at places with equal
 * surroundings, everywhere in a statement, a function or the file, or at two of a few places. Every result parses, and
 * none is a duplicate or equals the result of a given candidate.
 */
export function proposeRepeats(request: RepeatRequest): Candidate[] {
  const { file, text, exclude, limit = LIMIT } = request;
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const siteAt = createSiteIndex(parsed);
  const isSound = createCombinationCheck(parsed, siteAt);
  const own = request.candidates.filter(({ edits }) => edits[0]!.file === file);
  const known = new Set(own.map(({ edits }) => joinedKey(text, edits)));
  const repeats: Candidate[] = [];
  for (const { parts, prior } of ranked(request, own, siteAt)) {
    if (repeats.length >= limit) break;
    const edits = mergeEdits(parts);
    const key = edits && joinedKey(text, edits);
    if (edits === undefined || key === undefined || known.has(key)) continue;
    known.add(key);
    const repeat = combine({ parts, operator: 'repeat', prior }, edits);
    if (exclude?.has(repeat.signature) !== true && isSound(parts, edits)) repeats.push(repeat);
  }
  return repeats;
}

function ranked(
  { text, regions }: RepeatRequest,
  candidates: readonly Candidate[],
  siteAt: SiteIndex,
): { readonly parts: readonly Candidate[]; readonly prior: number }[] {
  const suspicionOf = ({ edits }: Candidate): number =>
    regions === undefined ? 1 : suspicionAt(edits[0]!.start, regions);
  return [...Map.groupBy(candidates, (candidate) => changeOf(candidate, text)).values()]
    .filter((same) => same.length > 1)
    .flatMap((same) => [...repeatsOf(same, siteAt, text)])
    .map(({ parts, share }) => {
      const prior = share * average(parts.map((part) => part.prior));
      return { parts, prior, score: prior * Math.min(...parts.map(suspicionOf)) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.parts[0]!.edits[0]!.start - b.parts[0]!.edits[0]!.start);
}

/** A key of a candidate's change, regardless of its place: operator, texts before and after, texts between its edits. */
function changeOf({ edits, operator }: Candidate, text: string): string {
  const steps = edits.map(({ start, end, replacement }, index) => {
    const between = index === 0 ? '' : text.slice(edits[index - 1]!.end, start);
    return [between, text.slice(start, end), replacement.replace(/\n\s*/g, '\n')].join('\0');
  });
  return [operator, ...steps].join('\0');
}

function* repeatsOf(same: readonly Candidate[], siteAt: SiteIndex, text: string): Generator<Repeat> {
  const places = same
    .map((candidate) => ({ candidate, ...placeOf(candidate, siteAt, text) }))
    .sort((a, b) => a.candidate.edits[0]!.start - b.candidate.edits[0]!.start);
  const groupings = [
    {
      share: SHARES.context,
      keyOf: ({ candidate }: (typeof places)[number]) => contextOf(candidate, siteAt, text),
    },
    {
      share: SHARES.statement,
      keyOf: ({ statement }: (typeof places)[number]) => `${startOf(statement.node)}`,
    },
    { share: SHARES.owner, keyOf: ({ owner }: (typeof places)[number]) => `${owner}` },
    { share: SHARES.file, keyOf: () => '' },
  ];
  for (const { share, keyOf } of groupings) {
    for (const group of Map.groupBy(places, keyOf).values()) {
      if (group.length < 2 || group.length > MOST_PLACES) continue;
      yield { parts: group.map(({ candidate }) => candidate), share };
    }
  }
  for (const group of Map.groupBy(places, ({ owner }) => owner).values()) {
    if (group.length < 3 || group.length > PAIRED_PLACES) continue;
    for (const [index, { candidate }] of group.entries()) {
      for (const other of group.slice(index + 1)) {
        yield { parts: [candidate, other.candidate], share: SHARES.pair };
      }
    }
  }
}

/** The text of the smallest syntax node that is larger than the edits. */
function contextOf({ edits }: Candidate, siteAt: SiteIndex, text: string): string {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  let site = siteAt(start, end);
  while (site.parent !== undefined && startOf(site.node) === start && endOf(site.node) === end)
    site = site.parent;
  return text.slice(startOf(site.node), endOf(site.node));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
