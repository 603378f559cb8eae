import type { Candidate } from '../../syntax/edit.ts';
import type { ParsedSource } from '../../syntax/parse.ts';
import type { Range } from '../../syntax/regions.ts';
import { isStatement, nearest, type Site, statementOf } from '../../syntax/walk.ts';
import type { Operator, Proposal, SourceView } from '../operator.ts';
import { indentEdit } from './layout.ts';
import { signatureOf } from './signature.ts';

/** A proposal with the operator and the site that it comes from. */
export interface Proposed {
  readonly operator: Operator;
  readonly proposal: Proposal;
  readonly site: Site;
  /** 0..1. */
  readonly prior: number;
  /** True where the replacements have the indentation of their place already. */
  readonly isIndented?: boolean;
}

const MAX_SHOWN_CHARS = 100;

/** Creates the function that turns a file's proposals into candidates, with line and signature. */
export function createDescriber(parsed: ParsedSource, source: SourceView): (proposed: Proposed) => Candidate {
  const { file, text } = parsed;
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const occurrences = occurrencesOf(source);
  return ({ operator, proposal, site, prior, isIndented = false }) => {
    const { edits } = proposal;
    const statement = rangeAround(statementOf(site) ?? site, edits);
    const shown = shownRange(site, edits, statement);
    return {
      edits: edits.map((edit) => ({ file, ...(isIndented ? edit : indentEdit(text, edit)) })),
      operator: operator.name,
      line: lineAt(lineStarts, edits[0]!.start),
      signature: signatureOf({
        file,
        text,
        edits,
        shown,
        statement,
        occurrence: occurrences.get(statement.start) ?? 0,
      }),
      prior,
    };
  };
}

/** Range of the site or of its nearest ancestor that contains all edits. */
function rangeAround(site: Site, edits: Proposal['edits']): Range {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  const found = nearest(site, (node) => node.start! <= start && end <= node.end!);
  const { node } = found ?? site;
  return found === undefined ? { start: 0, end } : { start: node.start!, end: node.end! };
}

function shownRange(site: Site, edits: Proposal['edits'], statement: Range): Range {
  const own = rangeAround(site, edits);
  const wide = site.parent === undefined ? own : rangeAround(site.parent, edits);
  const fitting = [wide, own].find(
    ({ start, end }) => end - start <= MAX_SHOWN_CHARS && start >= statement.start,
  );
  return fitting ?? { start: edits[0]!.start, end: edits.at(-1)!.end };
}

/** By the offset of a statement: how many statements with the same text come before it. */
function occurrencesOf(source: SourceView): Map<number, number> {
  const counts = new Map<string, number>();
  const occurrences = new Map<number, number>();
  for (const { node } of source.sites) {
    if (!isStatement(node)) continue;
    const text = source.textOf(node);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    if (!occurrences.has(node.start!)) occurrences.set(node.start!, count);
  }
  return occurrences;
}

/** 1-based line of an offset, by binary search. */
function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineStarts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
