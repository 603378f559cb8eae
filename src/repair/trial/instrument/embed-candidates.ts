import type { Node } from '@babel/types';
import { applyEdits, type Candidate, type Edit } from '../../syntax/edit.ts';
import { editsOf, uncheckTypes, wrapRanges, type Wrapping } from '../../syntax/wrappings.ts';
import { parseSource, startOf, endOf, type ParsedSource } from '../../syntax/parse.ts';
import { isLoop, sitesOf, type Site } from '../../syntax/walk.ts';
import { copyableRegions, smallestAround, type CopyableRegion } from './copyable-regions.ts';
import { redirectReads, renderChooser } from './module-constants.ts';
import { ACTIVE, choice, isAmong, REACHED, RENDERERS } from './variants.ts';

/** A candidate and the number that activates it. */
export interface NumberedCandidate {
  /** Unique over all files of one process. */
  readonly id: number;
  readonly candidate: Candidate;
}

/** A source file that holds many candidates, each inactive until its number is set. */
export interface EmbeddedSource {
  readonly text: string;
  /** In the order in which they were given. */
  readonly embedded: readonly NumberedCandidate[];
  /** Candidates that need a process of their own: they change code that runs only while its module loads. */
  readonly left: readonly Candidate[];
}

const TICK = 'globalThis.__ralphTick?.();';

/**
 * Writes all candidates for one file into one text. The smallest region around a candidate's edits that can stand
 * twice gets an edited copy, which runs while the candidate's number is active. Numbers begin with `firstId`; those
 * of one region follow each other. `extras` go into the unchanged code.
 */
export function embedCandidates(
  parsed: ParsedSource,
  candidates: readonly Candidate[],
  firstId: number,
  extras: readonly Wrapping[] = [],
): EmbeddedSource {
  const regions = copyableRegions(parsed);
  const ticks = sitesOf(parsed.tree.program).flatMap(ticksAt);
  const placed = candidates.flatMap((candidate) => {
    const region = smallestAround(regions, candidate.edits);
    return region === undefined ? [] : [{ candidate, region }];
  });
  const numbered = numberByRegion(placed, firstId);
  const render = (entries: readonly NumberedPlaced[]): string =>
    renderAll(parsed, { ticks, extras }, entries);
  const embedded = soundOf(numbered, (entries) => parsesAsWell(parsed, render(entries)));
  const kept = new Set(embedded.map(({ candidate }) => candidate));
  return {
    text: render(embedded),
    embedded,
    left: candidates.filter((candidate) => !kept.has(candidate)),
  };
}

interface Placed {
  readonly candidate: Candidate;
  readonly region: CopyableRegion;
}

type NumberedPlaced = Placed & NumberedCandidate;

/** Numbers of one region follow each other, so that two comparisons tell whether its copies are active. */
function numberByRegion(placed: readonly Placed[], firstId: number): NumberedPlaced[] {
  const ids = new Map<Placed, number>();
  for (const entries of Map.groupBy(placed, ({ region }) => region).values()) {
    for (const entry of entries) ids.set(entry, firstId + ids.size);
  }
  return placed.map((entry) => ({ ...entry, id: ids.get(entry)! }));
}

/** The candidates that parse together in one text. Bisection finds those that do not. */
function soundOf(
  entries: readonly NumberedPlaced[],
  isSound: (entries: readonly NumberedPlaced[]) => boolean,
): NumberedPlaced[] {
  if (entries.length === 0 || isSound(entries)) return [...entries];
  if (entries.length === 1) return [];
  const middle = entries.length >> 1;
  return [...soundOf(entries.slice(0, middle), isSound), ...soundOf(entries.slice(middle), isSound)];
}

function parsesAsWell(original: ParsedSource, text: string): boolean {
  const parsed = parseSource(original.file, text);
  return !('problem' in parsed) && parsed.errors.length <= original.errors.length;
}

function renderAll(
  parsed: ParsedSource,
  { ticks, extras }: { ticks: readonly Wrapping[]; extras: readonly Wrapping[] },
  entries: readonly NumberedPlaced[],
): string {
  const byRegion = Map.groupBy(entries, ({ region }) => region);
  const switches = [...byRegion].flatMap(([region, numbered]) =>
    renderRegion(parsed, ticks, { region, numbered }),
  );
  return wrapRanges(parsed.text, [uncheckTypes(parsed), ...ticks, ...switches, ...extras]);
}

function renderRegion(
  parsed: ParsedSource,
  ticks: readonly Wrapping[],
  { region, numbered }: { region: CopyableRegion; numbered: readonly NumberedCandidate[] },
): Wrapping[] {
  const variants = numbered
    .map(({ id, candidate }) => ({ id, text: editedCopy(parsed, ticks, { region, edits: candidate.edits }) }))
    .sort((a, b) => a.id - b.id);
  const { kind, constant } = region;
  if (kind !== 'constant') return [{ start: region.start, end: region.end, ...RENDERERS[kind](variants) }];
  const choose = `__ralph_${variants[0]!.id}`;
  const { length } = parsed.text;
  const chooser = renderChooser(choose, { active: ACTIVE, reached: REACHED, value: choice(variants) });
  return [
    ...redirectReads(constant!, isAmong(variants), choose),
    { start: length, end: length, before: chooser, after: '' },
  ];
}

function editedCopy(
  { file, text }: ParsedSource,
  ticks: readonly Wrapping[],
  { region, edits }: { region: CopyableRegion; edits: readonly Edit[] },
): string {
  const guards = ticks
    .filter(({ start, end }) => region.start <= start && end <= region.end)
    .filter(({ start, end }) => !edits.some((edit) => touches(edit, start) || touches(edit, end)))
    .flatMap((tick) => editsOf(file, tick));
  const local = [...guards, ...edits]
    .map((edit) => ({ ...edit, start: edit.start - region.start, end: edit.end - region.start }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  return applyEdits(text.slice(region.start, region.end), local);
}

function touches({ start, end }: Edit, at: number): boolean {
  return start <= at && at <= end;
}

/** A call at the start of each loop's body, which ends loops that no timer could interrupt. */
function ticksAt({ node }: Site): Wrapping[] {
  if (!isLoop(node) || !('body' in node)) return [];
  const body = node.body as Node;
  const start = startOf(body);
  if (body.type === 'BlockStatement') return [{ start: start + 1, end: start + 1, before: TICK, after: '' }];
  return [{ start, end: endOf(body), before: `{${TICK}`, after: '}' }];
}
