import type { Candidate } from './edit.ts';
import type { Range } from './functions.ts';
import { type Hints, NO_HINTS } from './literals.ts';
import { OPERATORS } from './operators/index.ts';
import type { Operator, Proposal, SourceView } from './operators/operator.ts';
import { parseSource, type ParsedSource } from './parse.ts';
import { byRank, type Region, suspicionAt } from './rank.ts';
import { signatureOf } from './signature.ts';
import { createSourceView } from './source-view.ts';
import { createSyntaxCheck } from './syntax.ts';
import { isStatement, nearest, type Site, statementOf } from './walk.ts';

/** What is asked for: repairs of one file. */
export interface CandidateRequest {
  /** Relative to the repository's root; its extension says the language. */
  readonly file: string;
  readonly text: string;
  /** Where to look and how suspicious each place is; the whole file when absent. */
  readonly regions?: readonly Region[];
  readonly hints?: Hints;
  /** Signatures that are not proposed again. */
  readonly exclude?: ReadonlySet<string>;
  /** Names of the operators to ask; all when absent. */
  readonly operators?: ReadonlySet<string>;
  /** Factor on an operator's prior, by its name: what worked in this repository before. */
  readonly favour?: ReadonlyMap<string, number>;
  /** Most candidates to return; never more than 20,000. */
  readonly limit?: number;
}

const LIMIT = 20_000;
const SHOWN_LIMIT = 100;
const LINE_LIMIT = 1_000;
const AVERAGE_LINE_LIMIT = 250;
const SIZE_LIMIT = 500_000;

/**
 * Single repairs of a file, most promising first (prior × suspicion), each resulting text once, all of them
 * syntactically sound. The same request gives the same list. Empty for files that are not searched.
 */
export function proposeCandidates(request: CandidateRequest): Candidate[] {
  if (whyNotSearched(request.file, request.text) !== undefined) return [];
  const parsed = parseSource(request.file, request.text);
  if ('problem' in parsed) return [];
  return select(parsed, request);
}

/** Why a file is not searched, as one line: no code of one's own to mend, or nothing that parses. */
export function whyNotSearched(file: string, text: string): string | undefined {
  if (/\.d\.[cm]?ts$/.test(file)) return `${file} holds only types`;
  if (!/\.[cm]?[jt]sx?$/.test(file)) return `${file} is neither JavaScript nor TypeScript`;
  if (/[.-]min\.[cm]?js$/.test(file) || looksMinified(text)) return `${file} is minified`;
  if (/@generated|\bdo not edit\b|auto-?generated/i.test(text.slice(0, 1000))) return `${file} is generated`;
  if (text.length > SIZE_LIMIT) return `${file} is larger than ${SIZE_LIMIT} characters`;
  const parsed = parseSource(file, text);
  return 'problem' in parsed ? parsed.problem : undefined;
}

interface Scored {
  readonly operator: Operator;
  readonly proposal: Proposal;
  readonly site: Site;
  readonly prior: number;
  readonly score: number;
  readonly start: number;
  readonly text: string;
}

function select(parsed: ParsedSource, request: CandidateRequest): Candidate[] {
  const source = createSourceView(parsed, request.hints ?? NO_HINTS);
  const limit = Math.min(request.limit ?? LIMIT, LIMIT);
  const isSound = createSyntaxCheck(parsed);
  const describe = createDescriber(parsed, source);
  const results = new Set<string>();
  const candidates: Candidate[] = [];
  for (const scored of allScored(source, request).sort(byRank)) {
    if (candidates.length >= limit) break;
    const key = resultKey(parsed.text, scored.proposal);
    if (key === undefined || results.has(key)) continue;
    results.add(key);
    const candidate = describe(scored);
    if (request.exclude?.has(candidate.signature) !== true && isSound(scored.site, scored.proposal.edits)) {
      candidates.push(candidate);
    }
  }
  return candidates;
}

function allScored(source: SourceView, { regions, favour, operators }: CandidateRequest): Scored[] {
  const scored: Scored[] = [];
  const asked = OPERATORS.filter(({ name }) => operators?.has(name) ?? true);
  for (const site of source.sites.filter((at) => isNear(at, regions))) {
    for (const operator of asked) {
      for (const proposal of operator.propose(site, source)) {
        const start = proposal.edits[0]!.start;
        const suspicion = regions === undefined ? 1 : suspicionAt(start, regions);
        if (suspicion <= 0) continue;
        const prior = Math.min(1, operator.prior * proposal.factor * (favour?.get(operator.name) ?? 1));
        const text = proposal.edits.map(({ replacement }) => replacement).join('\0');
        scored.push({ operator, proposal, site, prior, score: prior * suspicion, start, text });
      }
    }
  }
  return scored;
}

function isNear({ node }: Site, regions: readonly Region[] | undefined): boolean {
  return regions?.some(({ start, end }) => node.start! < end && start <= node.end!) ?? true;
}

/** The same for proposals that give the same text; absent for one that changes nothing. */
function resultKey(text: string, { edits }: Proposal): string | undefined {
  const real = edits.map((edit) => trimmed(text, edit)).filter(({ before, after }) => before !== after);
  if (real.length === 0) return undefined;
  return real.map(({ start, before, after }) => `${start}\0${before.length}\0${after}`).join('\0\0');
}

/** An edit without what stays the same at its ends. */
function trimmed(text: string, { start, end, replacement }: Proposal['edits'][number]) {
  const old = text.slice(start, end);
  let head = 0;
  while (head < old.length && head < replacement.length && old[head] === replacement[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, replacement.length) - head;
  while (tail < most && old[old.length - 1 - tail] === replacement[replacement.length - 1 - tail]) tail++;
  return {
    start: start + head,
    before: old.slice(head, old.length - tail),
    after: replacement.slice(head, replacement.length - tail),
  };
}

function createDescriber(parsed: ParsedSource, source: SourceView): (scored: Scored) => Candidate {
  const { file, text } = parsed;
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const occurrences = occurrencesOf(source);
  return ({ operator, proposal, site, prior, start }) => {
    const { edits } = proposal;
    const statement = holding(statementOf(site) ?? site, edits);
    const shown = shownRange(site, edits, statement);
    return {
      edits: edits.map((edit) => ({ file, ...edit })),
      operator: operator.name,
      line: lineAt(lineStarts, start),
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

function looksMinified(text: string): boolean {
  const lines = text.split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  return longest > LINE_LIMIT && text.length / lines.length > AVERAGE_LINE_LIMIT;
}
