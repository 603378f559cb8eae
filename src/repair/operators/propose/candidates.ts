import type { Node } from '@babel/types';
import { bindingsOf } from '../../syntax/bindings.ts';
import type { Candidate, TextEdit } from '../../syntax/edit.ts';
import { type Hints, NO_HINTS } from '../../syntax/literals.ts';
import { parseSource, type ParsedSource } from '../../syntax/parse.ts';
import { createSuspicion, type Region, type Suspicion } from '../../syntax/regions.ts';
import { resultKey } from '../../syntax/result-key.ts';
import { createSyntaxCheck } from '../../syntax/syntax-check.ts';
import { isFunction, type Site } from '../../syntax/walk.ts';
import { whyNotSearched } from '../../syntax/why-not-searched.ts';
import { OPERATORS } from '../index.ts';
import type { SourceView } from '../operator.ts';
import { createDescriber, type Proposed } from './describe.ts';
import { indentEdit } from './layout.ts';
import { byRank, type Ranked } from './rank.ts';
import { createSourceView } from './source-view.ts';

/** A request for repairs of one file. */
export interface CandidateRequest {
  /** Relative to the repository's root; the extension selects the language. */
  readonly file: string;
  readonly text: string;
  /** Suspicious regions; outside of them nothing is proposed. The whole file by default. */
  readonly regions?: readonly Region[];
  readonly hints?: Hints;
  /** Members with a fitting type, from the type checker, by the offset of the member name that they may replace. */
  readonly typedMembers?: ReadonlyMap<number, readonly string[]>;
  /** Signatures of candidates to leave out. */
  readonly exclude?: ReadonlySet<string>;
  /** Names of the operators to run; all by default. */
  readonly operators?: ReadonlySet<string>;
  /** Multiplier of an operator's prior, by its name, from repairs that worked in this repository before. */
  readonly favour?: ReadonlyMap<string, number>;
  /** How well edits fit the repository, as a factor on their place in the order. */
  readonly fit?: (edits: readonly TextEdit[]) => number;
  /** Number of candidates to return; 20,000 at most and by default. */
  readonly limit?: number;
}

const MAX_CANDIDATES = 20_000;

/** A candidate and how promising it is. */
export interface ScoredCandidate {
  readonly candidate: Candidate;
  /** Prior times the suspicion of the place, 0..1. */
  readonly score: number;
  /** The score, times how well the edit fits the repository. */
  readonly order: number;
}

/**
 * Single repairs of a file, most promising first by prior × suspicion × fit. Each parses without new errors and gives
 * a text that no other one gives. The same request gives the same list. Empty for files that are not searched.
 */
export function proposeCandidates(request: CandidateRequest): Candidate[] {
  return Array.from(candidateStream(request), ({ candidate }) => candidate);
}

/** As `proposeCandidates`, but each one is checked when it is asked for. */
export function* candidateStream(request: CandidateRequest): Generator<ScoredCandidate> {
  if (whyNotSearched(request.file, request.text) !== undefined) return;
  const parsed = parseSource(request.file, request.text);
  if ('problem' in parsed) return;
  yield* select(parsed, request);
}

type Scored = Proposed & Ranked & { readonly score: number };

function* select(parsed: ParsedSource, request: CandidateRequest): Generator<ScoredCandidate> {
  const source = createSourceView(parsed, request.hints ?? NO_HINTS, request.typedMembers);
  const limit = Math.min(request.limit ?? MAX_CANDIDATES, MAX_CANDIDATES);
  const isSound = createSyntaxCheck(parsed);
  const describe = createDescriber(parsed, source);
  const results = new Set<string>();
  let count = 0;
  for (const scored of allScored(source, request).sort(byRank)) {
    if (count >= limit) return;
    const key = resultKey(parsed.text, indented(parsed.text, scored.proposal.edits));
    if (key === undefined || results.has(key)) continue;
    results.add(key);
    const candidate = describe(scored);
    if (request.exclude?.has(candidate.signature) === true) continue;
    if (!isSound(scored.site, scored.proposal.edits)) continue;
    count++;
    yield { candidate, score: scored.score, order: scored.order };
  }
}

/** Operators may break lines at different places; the layout decides whether the texts are equal. */
function indented(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.map((edit) => indentEdit(text, edit));
}

/** Bonus for an edit that uses a name which is declared but unused so far. */
const UNUSED_NAME_FACTOR = 1.6;

function allScored(source: SourceView, { regions, favour, operators, fit }: CandidateRequest): Scored[] {
  const scored: Scored[] = [];
  const unusedName = unusedNamePattern(source.sites);
  const selected = OPERATORS.filter(({ name }) => operators?.has(name) ?? true);
  const suspicions = regions && createSuspicion(regions);
  for (const site of suspectSites(source.sites, suspicions)) {
    for (const operator of selected) {
      for (const proposal of operator.propose(site, source)) {
        const start = proposal.edits[0]!.start;
        const suspicion = suspicions?.at(start) ?? 1;
        if (suspicion <= 0) continue;
        const text = proposal.edits.map(({ replacement }) => replacement).join('\0');
        const factor =
          (favour?.get(operator.name) ?? 1) * (unusedName?.test(text) === true ? UNUSED_NAME_FACTOR : 1);
        const prior = Math.min(1, operator.prior * proposal.factor * factor);
        const score = prior * suspicion;
        const order = score * (fit?.(proposal.edits) ?? 1);
        scored.push({ operator, proposal, site, prior, score, order, start, text });
      }
    }
  }
  return scored;
}

/** Matches a parameter or local variable that is declared and never used; undefined if there is none. */
function unusedNamePattern(sites: readonly Site[]): RegExp | undefined {
  const names = bindingsOf(sites)
    .filter(({ kind, owner, uses }) => uses === 0 && owner !== -1 && kind !== 'function' && kind !== 'class')
    .map(({ name }) => name.replace(/\$/g, '\\$&'));
  return names.length === 0 ? undefined : new RegExp(`(?<![\\w$.])(?:${names.join('|')})(?![\\w$])`);
}

/**
 * The sites that may have an edit at a suspicious place: an edit in a function may begin anywhere in the outermost one
 * around it. Most functions of a large file have no such place.
 */
function suspectSites(sites: readonly Site[], suspicions: Suspicion | undefined): readonly Site[] {
  if (suspicions === undefined) return sites;
  const isSuspect = new Map<Site, boolean>();
  const outermost = new Map<Node, Site>();
  return sites.filter((site) => {
    const { node, parent } = site;
    const around = (parent && outermost.get(parent.node)) ?? site;
    if (around !== site || isFunction(node)) outermost.set(node, around);
    const known = isSuspect.get(around);
    const found = known ?? suspicions.isAbove0In(around.node.start!, around.node.end!);
    if (known === undefined) isSuspect.set(around, found);
    return found;
  });
}
