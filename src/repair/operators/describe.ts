import type { Candidate } from '../syntax/edit.ts';
import type { Range } from '../syntax/functions.ts';
import { laidOut } from './layout.ts';
import type { Operator, Proposal, SourceView } from './operator.ts';
import type { ParsedSource } from '../syntax/parse.ts';
import { signatureOf } from './signature.ts';
import { isStatement, nearest, type Site, statementOf } from '../syntax/walk.ts';

/** A proposal with what made it. */
export interface Proposed {
  readonly operator: Operator;
  readonly proposal: Proposal;
  readonly site: Site;
  readonly prior: number;
}

const SHOWN_LIMIT = 100;

/** Turns proposals for a file into candidates: with their line and signature. */
export function createDescriber(parsed: ParsedSource, source: SourceView): (proposed: Proposed) => Candidate {
  const { file, text } = parsed;
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const occurrences = occurrencesOf(source);
  return ({ operator, proposal, site, prior }) => {
    const { edits } = proposal;
    const statement = holding(statementOf(site) ?? site, edits);
    const shown = shownRange(site, edits, statement);
    return {
      edits: edits.map((edit) => ({ file, ...laidOut(text, edit) })),
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

/** The site's range, or the smallest one around it that holds all edits. */
function holding(site: Site, edits: Proposal['edits']): Range {
  const [start, end] = [edits[0]!.start, edits.at(-1)!.end];
  const found = nearest(site, (node) => node.start! <= start && end <= node.end!);
  const { node } = found ?? site;
  return found === undefined ? { start: 0, end } : { start: node.start!, end: node.end! };
}

function shownRange(site: Site, edits: Proposal['edits'], statement: Range): Range {
  const own = holding(site, edits);
  const wide = site.parent === undefined ? own : holding(site.parent, edits);
  const fits = [wide, own].find(({ start, end }) => end - start <= SHOWN_LIMIT && start >= statement.start);
  return fits ?? { start: edits[0]!.start, end: edits.at(-1)!.end };
}

/** For each statement, how many with the same text stand before it. */
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
