import { applyEdits, type Candidate } from '../syntax/edit.ts';
import { functionsOf, type FunctionInfo } from '../syntax/functions.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../syntax/parse.ts';
import type { Range } from '../syntax/regions.ts';
import { sitesOf, type Site } from '../syntax/walk.ts';

/** A file before and after an edit. */
export interface Change {
  readonly before: ParsedSource;
  readonly after: ParsedSource;
  /** Parents first. */
  readonly sitesBefore: readonly Site[];
  /** Parents first. */
  readonly sitesAfter: readonly Site[];
  /** Replaced ranges of the text before. */
  readonly removed: readonly Range[];
  /** Their replacements in the text after. */
  readonly added: readonly Range[];
}

/** The change that a candidate makes to a parsed file; undefined if the result does not parse. */
export function changeOf(before: ParsedSource, { edits }: Candidate): Change | undefined {
  const after = parseSource(before.file, applyEdits(before.text, edits));
  if ('problem' in after) return undefined;
  let shift = 0;
  const added = edits.map(({ start, end, replacement }) => {
    const from = start + shift;
    shift += replacement.length - (end - start);
    return { start: from, end: from + replacement.length };
  });
  return {
    before,
    after,
    sitesBefore: sitesOf(before.tree.program),
    sitesAfter: sitesOf(after.tree.program),
    removed: edits.map(({ start, end }) => ({ start, end })),
    added,
  };
}

/** The offset before the change of an offset after it; undefined inside of the added text. */
export function offsetBefore({ removed, added }: Change, offset: number): number | undefined {
  let shift = 0;
  for (const [index, range] of added.entries()) {
    if (offset < range.start) break;
    if (offset < range.end) return undefined;
    shift = removed[index]!.end - range.end;
  }
  return offset + shift;
}

/** Whether a node of the text after overlaps the added text. */
export function isTouched({ added }: Change, { node }: Site): boolean {
  return added.some(({ start, end }) => startOf(node) < end && start < endOf(node));
}

/** The outermost functions of the text after that the change touches. */
export function changedFunctions({ after, added }: Change): FunctionInfo[] {
  return functionsOf(after).filter(
    ({ depth, start, end }) =>
      depth === 0 && added.some((range) => start <= range.start && range.start < end),
  );
}

/** The source text of a node without spaces. */
export function compactText(
  { text }: ParsedSource,
  { start, end }: { start?: number | null; end?: number | null },
): string {
  return text.slice(start!, end!).replace(/\s+/g, '');
}

/** Values that occur more often after than before; both are lists with repetitions. */
export function moreOften(before: readonly string[], after: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const value of before) counts.set(value, (counts.get(value) ?? 0) + 1);
  const more = new Set<string>();
  for (const value of after) {
    const left = (counts.get(value) ?? 0) - 1;
    counts.set(value, left);
    if (left < 0) more.add(value);
  }
  return more;
}
