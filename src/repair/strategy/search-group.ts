import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptContext, CheckPlan } from '../../ports.ts';
import { answersTest } from '../choose/answers.ts';
import type { AttemptLog } from './attempt-log.ts';
import { choose, confirm } from '../choose/choose.ts';
import { proposePairs } from '../combine/pairs.ts';
import type { Candidate } from '../syntax/edit.ts';
import type { Favour } from './experience.ts';
import type { FailureGroup } from '../localise/failures.ts';
import type { Suspect } from '../localise/localise.ts';
import { reachedSources } from '../syntax/imports.ts';
import { queueCandidates, type Scored } from './queue.ts';
import { recalled } from './recall.ts';
import { ruledOutIn, scopeOf } from './ruled-out.ts';
import { SINGLES, tryInTurn, type BatchSizes } from './search-batch.ts';
import { mayGoOn, ruleOut, type Search, type SearchBounds } from './search-state.ts';
import { findSuspects } from '../localise/suspects.ts';
import { tryCold, type ColdVerdict } from '../trial/cold-trial.ts';
import type { TrialGround } from '../trial/session.ts';
import { runTraced } from '../trial/trace-run.ts';
import { readTypedMembers } from '../fixers/typed-members.ts';
import type { Claim } from '../trial/verify.ts';

/** Tests of which nothing was reported in the time of a whole check hardly come to an end later. */
const ENDLESS_MS = 500;
/** Files nearest to the tests that the type checker is asked about. */
const MOST_TYPED = 12;
const MAX_PROBES = 12;
const MAX_COLD = 60;
const COLD_TIMEOUT_MS = 30_000;
const SHOWN_SUSPECTS = 5;
const PAIRS: BatchSizes = { first: 1200, later: 1800 };
const MAX_PAIRS = 6000;

/** The search for one group, and what it may try. */
export interface GroupSearch {
  readonly search: Search;
  /** Single edits and repeats of one, most promising first. */
  readonly ranked: readonly Scored[];
  /** Those of them that are like what fixed things here before. */
  readonly recalled: readonly Candidate[];
  /** Signatures that were tried on these failures before. */
  readonly exclude: ReadonlySet<string>;
}

/** One way of searching for a group's repair; gives the confirmed edit, not applied. */
export type Stage = (group: GroupSearch, bounds: SearchBounds) => Promise<ColdVerdict | undefined>;

/** One edit at a time, then two; then what mends a part; then what only a process of its own can try. */
export const STAGES = {
  singles: (group, bounds) => trySingles({ ...group, search: within(group.search, bounds) }),
  pairs: ({ search, exclude }, bounds) => tryPairs(within(search, bounds), exclude),
  partial: ({ search }, bounds) => tryPartial(within(search, bounds)),
  alone: ({ search }, bounds) => tryAlone(within(search, bounds)),
} satisfies Readonly<Record<string, Stage>>;

/** True where some edit mends a part of the failing tests and breaks none. */
export function hasPartial({ search }: GroupSearch): boolean {
  return search.partial.length > 0;
}

/** Finds the suspects of a group of failing tests and the edits worth trying there. */
export async function openGroupSearch(
  context: AttemptContext,
  group: FailureGroup,
  { exclude, favour, limit, log }: GroupOptions,
): Promise<GroupSearch | undefined> {
  const check = context.project.checks.find(({ name }) => name === group.check);
  if (check === undefined) return undefined;
  const ids = group.tests.map(({ id }) => id);
  const search: Search = {
    context,
    group,
    ground: groundOf(context, group, check),
    bounds: { maxCandidates: 0, deadline: 0 },
    log,
    triedBefore: log.tried,
    scope: scopeOf(group.file, ids),
    scores: new Map(),
    observed: [],
    partial: [],
    left: [],
  };
  const files = reachedSources(context.root, group.file).map(({ file }) => file);
  const [suspects, typedMembers] = await Promise.all([
    locate(search),
    readTypedMembers(context, files.slice(0, MOST_TYPED)),
  ]);
  const ranked = await queueCandidates({
    root: context.root,
    testFile: group.file,
    suspects,
    diagnostics: group.diagnostics,
    limit,
    favour,
    typedMembers,
  });
  for (const { candidate, score } of ranked) search.scores.set(candidate, score);
  return { search, ranked, recalled: recalled(ranked, favour), exclude: ruledOutIn(search.scope, exclude) };
}

export interface GroupOptions {
  /** What earlier attempts ruled out, each with its scope. */
  readonly exclude: ReadonlySet<string>;
  readonly favour: Favour;
  /** Most single edits. */
  readonly limit: number;
  readonly log: AttemptLog;
}

/** The same search under other bounds: what it has learned stays with it. */
function within(search: Search, bounds: SearchBounds): Search {
  return { ...search, bounds, triedBefore: search.log.tried };
}

/** A few of the failing tests stand for the rest: the quickest ones. */
function groundOf(context: AttemptContext, group: FailureGroup, check: CheckPlan): TrialGround {
  if (group.tests.length === 0) return { context, check, testFile: group.file, originalMs: ENDLESS_MS };
  const byDuration = [...group.tests].sort((a, b) => (a.duration_ms ?? 0) - (b.duration_ms ?? 0));
  return { context, check, testFile: group.file, only: byDuration.slice(0, MAX_PROBES) };
}

async function locate({ group, ground, log }: Search): Promise<readonly Suspect[]> {
  const { suspects, basis, command } = await findSuspects(ground, group, runTraced);
  const named = suspects.slice(0, SHOWN_SUSPECTS).map(placeOf).join(', ');
  log.act({
    type: 'test_execution',
    description: `Located suspects by ${basis}.`,
    file_path: group.file,
    ...(command && { command }),
  });
  log.reason(
    `Suspects for ${group.tests.length} failing tests of ${group.file}, by ${basis}: ${named || 'none'}.`,
  );
  return suspects;
}

/** The most suspicious line of a file. */
function placeOf({ file, regions }: Suspect): string {
  const [first, ...rest] = regions;
  const worst = rest.reduce((best, region) => (region.weight >= best.weight ? region : best), first!);
  return `${file}:${worst.line} (${worst.weight.toFixed(2)})`;
}

/**
 * What an earlier attempt ruled out is not tried again, but may still be half of a repair. What is like earlier repairs
 * goes first, in a batch of its own: where one of them holds, the others need no trial.
 */
async function trySingles({
  search,
  ranked,
  recalled,
  exclude,
}: GroupSearch): Promise<ColdVerdict | undefined> {
  const isKnown = ({ candidate }: Scored): boolean => exclude.has(candidate.signature);
  for (const { candidate, score } of ranked.filter(isKnown)) {
    const weight = candidate.prior === 0 ? 0 : score / candidate.prior;
    search.observed.push({ candidate, weight, fixed: 0, broken: 0, moved: false, reached: true });
  }
  const fresh = ranked.filter((entry) => !isKnown(entry)).map(({ candidate }) => candidate);
  const like = new Set(recalled);
  const isFresh = ({ signature }: Candidate): boolean => !exclude.has(signature);
  const isLike = (candidate: Candidate): boolean => like.has(candidate);
  const others = fresh.filter((candidate) => !isLike(candidate));
  // What would have been in the first batch stays in it: a recall that finds nothing puts nothing off.
  const first = fresh.slice(0, SINGLES.first).filter((candidate) => !isLike(candidate)).length;
  const accept = (claims: readonly Claim[]): Promise<ColdVerdict | undefined> => choose(search, claims);
  return (
    (await tryInTurn(search, recalled.filter(isFresh), accept)) ??
    (await tryInTurn(search, others, accept, { ...SINGLES, first: Math.max(1, first) }))
  );
}

async function tryPairs(search: Search, exclude: ReadonlySet<string>): Promise<ColdVerdict | undefined> {
  const { context, observed, scores } = search;
  const byFile = Map.groupBy(observed, ({ candidate }) => candidate.edits[0]!.file);
  const best = (file: string): number => Math.max(...byFile.get(file)!.map(({ weight }) => weight));
  for (const file of [...byFile.keys()].sort((a, b) => best(b) - best(a))) {
    if (!mayGoOn(search)) break;
    const text = await readFile(join(context.root, file), 'utf8');
    const pairs = proposePairs({ file, text, tried: byFile.get(file)!, exclude, limit: MAX_PAIRS });
    const scored = (function* (): Generator<Candidate> {
      for (const pair of pairs) {
        scores.set(pair, pair.prior);
        yield pair;
      }
    })();
    const found = await tryInTurn(search, scored, (claims) => choose(search, claims), PAIRS);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What puts in just what some of the tests expect mends no part of a defect. */
function tryPartial(search: Search): Promise<ColdVerdict | undefined> {
  const expected = search.group.diagnostics.flatMap((diagnostic) => diagnostic.expected ?? []);
  return choose(
    search,
    search.partial.filter(({ candidate }) => !answersTest(candidate, expected)),
  );
}

/** Candidates that only a process of their own can try, each at the price of a run of the test file. */
async function tryAlone(search: Search): Promise<ColdVerdict | undefined> {
  const { context, group, left, log } = search;
  const singles = left.filter(({ operator }) => operator !== 'pair').slice(0, MAX_COLD);
  for (const [index, candidate] of singles.entries()) {
    if (!mayGoOn(search)) break;
    if (index === 0) context.onProgress(`trying ${singles.length} edits one by one`);
    const { fixed, broken } = await tryCold(context, candidate, {
      check: group.check,
      files: [group.file],
      before: context.evaluation.tests,
      timeoutMs: COLD_TIMEOUT_MS,
      otherChecks: false,
    });
    if (context.signal.aborted) break;
    log.tried++;
    const verdict =
      fixed.length > 0 && broken.length === 0
        ? await confirm(search, [{ candidate, fixed: fixed.length }])
        : undefined;
    if (verdict !== undefined) return verdict;
    ruleOut(search, candidate);
  }
  return undefined;
}
