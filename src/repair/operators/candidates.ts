import { bindingsOf } from '../syntax/bindings.ts';
import { createDescriber, type Proposed } from './describe.ts';
import type { Candidate } from '../syntax/edit.ts';
import { type Hints, NO_HINTS } from '../syntax/literals.ts';
import { OPERATORS } from './index.ts';
import type { SourceView } from './operator.ts';
import { parseSource, type ParsedSource } from '../syntax/parse.ts';
import { byRank, type Ranked, type Region, suspicionAt } from '../localise/rank.ts';
import { resultKey } from './result-key.ts';
import { createSourceView } from './source-view.ts';
import { createSyntaxCheck } from './still-parses.ts';
import type { Site } from '../syntax/walk.ts';

/** What is asked for: repairs of one file. */
export interface CandidateRequest {
  /** Relative to the repository's root; its extension says the language. */
  readonly file: string;
  readonly text: string;
  /** Where to look and how suspicious each place is; the whole file when absent. */
  readonly regions?: readonly Region[];
  readonly hints?: Hints;
  /** Members that fit in the place of others, as the type checker has it: by the offset of a member's name. */
  readonly typedMembers?: ReadonlyMap<number, readonly string[]>;
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

type Scored = Proposed & Ranked;

function select(parsed: ParsedSource, request: CandidateRequest): Candidate[] {
  const source = createSourceView(parsed, request.hints ?? NO_HINTS, request.typedMembers);
  const limit = Math.min(request.limit ?? LIMIT, LIMIT);
  const isSound = createSyntaxCheck(parsed);
  const describe = createDescriber(parsed, source);
  const results = new Set<string>();
  const candidates: Candidate[] = [];
  for (const scored of allScored(source, request).sort(byRank)) {
    if (candidates.length >= limit) break;
    const key = resultKey(parsed.text, scored.proposal.edits);
    if (key === undefined || results.has(key)) continue;
    results.add(key);
    const candidate = describe(scored);
    if (request.exclude?.has(candidate.signature) !== true && isSound(scored.site, scored.proposal.edits)) {
      candidates.push(candidate);
    }
  }
  return candidates;
}

/** How much more natural it is to use a name that is declared and used nowhere. */
const UNREAD_FACTOR = 1.6;

function allScored(source: SourceView, { regions, favour, operators }: CandidateRequest): Scored[] {
  const scored: Scored[] = [];
  const usesUnread = unreadNames(source.sites);
  const asked = OPERATORS.filter(({ name }) => operators?.has(name) ?? true);
  for (const site of source.sites.filter((at) => isNear(at, regions))) {
    for (const operator of asked) {
      for (const proposal of operator.propose(site, source)) {
        const start = proposal.edits[0]!.start;
        const suspicion = regions === undefined ? 1 : suspicionAt(start, regions);
        if (suspicion <= 0) continue;
        const text = proposal.edits.map(({ replacement }) => replacement).join('\0');
        const factor =
          (favour?.get(operator.name) ?? 1) * (usesUnread?.test(text) === true ? UNREAD_FACTOR : 1);
        const prior = Math.min(1, operator.prior * proposal.factor * factor);
        scored.push({ operator, proposal, site, prior, score: prior * suspicion, start, text });
      }
    }
  }
  return scored;
}

/** Matches texts that use a parameter or variable which a function declares and never uses. */
function unreadNames(sites: readonly Site[]): RegExp | undefined {
  const names = bindingsOf(sites)
    .filter(({ kind, owner, uses }) => uses === 0 && owner !== -1 && kind !== 'function' && kind !== 'class')
    .map(({ name }) => name.replace(/\$/g, '\\$&'));
  return names.length === 0 ? undefined : new RegExp(`(?<![\\w$.])(?:${names.join('|')})(?![\\w$])`);
}

function isNear({ node }: Site, regions: readonly Region[] | undefined): boolean {
  return regions?.some(({ start, end }) => node.start! < end && start <= node.end!) ?? true;
}

function looksMinified(text: string): boolean {
  const lines = text.split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  return longest > LINE_LIMIT && text.length / lines.length > AVERAGE_LINE_LIMIT;
}
