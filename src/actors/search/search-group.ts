import type { AttemptContext, CheckPlan } from '../../ports.ts';
import type { AttemptLog } from './attempt-log.ts';
import type { Candidate } from './edit.ts';
import type { FailureGroup } from './failures.ts';
import type { Suspect } from './localise.ts';
import { queueCandidates } from './queue.ts';
import { ruledOutIn, scopeOf } from './ruled-out.ts';
import { findSuspects } from './suspects.ts';
import { tryCold, type ColdVerdict } from './trial-cold.ts';
import { tryFast, type FastVerdict } from './trial-fast.ts';
import type { TrialGround } from './trial-session.ts';
import { verifyClaims, type Claim } from './verify.ts';

/** What bounds the search for one group of failures. */
export interface SearchBounds {
  /** What earlier attempts ruled out, each with its scope. */
  readonly exclude: ReadonlySet<string>;
  /** Most candidates to try. */
  readonly maxCandidates: number;
  /** `performance.now()` at which nothing further is started. */
  readonly deadline: number;
}

interface Search {
  readonly context: AttemptContext;
  readonly group: FailureGroup;
  readonly ground: TrialGround;
  readonly bounds: SearchBounds;
  readonly log: AttemptLog;
  /** Which failures a refuted candidate is refuted for. */
  readonly scope: string;
  /** Claims of candidates that fix a part of the failing tests. */
  readonly partial: Claim[];
}

const FIRST_BATCH = 300;
const LATER_BATCH = 1500;
const MAX_PROBES = 12;
const MAX_COLD = 60;
const COLD_TIMEOUT_MS = 30_000;
const SHOWN_SUSPECTS = 5;

/**
 * Looks for one edit that repairs a group of failing tests: suspects, then fast trials in the order of promise,
 * then confirmation. Returns the confirmed edit, not applied; undefined when none was found within the bounds.
 */
export async function searchGroup(
  context: AttemptContext,
  group: FailureGroup,
  { bounds, log }: { bounds: SearchBounds; log: AttemptLog },
): Promise<ColdVerdict | undefined> {
  const check = context.project.checks.find(({ name }) => name === group.check);
  if (check === undefined) return undefined;
  const search: Search = {
    context,
    group,
    ground: groundOf(context, group, check),
    bounds,
    log,
    scope: scopeOf(
      group.file,
      group.tests.map(({ id }) => id),
    ),
    partial: [],
  };
  const suspects = await locate(search);
  const queue = await queueCandidates({
    root: context.root,
    testFile: group.file,
    suspects,
    diagnostics: group.diagnostics,
    exclude: ruledOutIn(search.scope, bounds.exclude),
    limit: bounds.maxCandidates,
  });
  return await tryQueue(search, queue, suspects);
}

/** A few of the failing tests stand for the rest: the quickest ones. */
function groundOf(context: AttemptContext, group: FailureGroup, check: CheckPlan): TrialGround {
  if (group.tests.length === 0) return { context, check, testFile: group.file };
  const byDuration = [...group.tests].sort((a, b) => (a.duration_ms ?? 0) - (b.duration_ms ?? 0));
  return { context, check, testFile: group.file, only: byDuration.slice(0, MAX_PROBES) };
}

async function locate({ context, group, ground, log }: Search): Promise<readonly Suspect[]> {
  context.onProgress(`tracing ${group.tests.length} failing tests of ${group.file}`);
  const { suspects, basis, command } = await findSuspects(ground, group);
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

async function tryQueue(
  search: Search,
  queue: readonly Candidate[],
  suspects: readonly Suspect[],
): Promise<ColdVerdict | undefined> {
  const left: Candidate[] = [];
  for (let at = 0; at < queue.length && mayGoOn(search);) {
    const batch = queue.slice(at, at + (at === 0 ? FIRST_BATCH : LATER_BATCH));
    at += batch.length;
    announce(search, batch, suspects);
    const found = await tryBatch(search, batch, left);
    if (found !== undefined) return found;
  }
  const claims = [...search.partial].sort((a, b) => b.fixed - a.fixed);
  return (await confirm(search, claims)) ?? (await tryAlone(search, left));
}

function announce({ context }: Search, batch: readonly Candidate[], suspects: readonly Suspect[]): void {
  const { file } = batch[0]!.edits[0]!;
  const rank = suspects.findIndex((suspect) => suspect.file === file) + 1;
  context.onProgress(`trying ${batch.length} edits in ${file} (suspect ${rank} of ${suspects.length})`);
}

async function tryBatch(
  search: Search,
  batch: readonly Candidate[],
  left: Candidate[],
): Promise<ColdVerdict | undefined> {
  const { ground, bounds, log } = search;
  const started = performance.now();
  const {
    verdicts,
    left: unsaid,
    failing,
    processes,
  } = await tryFast(ground, batch, {
    mode: 'failing',
    deadline: bounds.deadline,
  });
  left.push(...unsaid);
  log.tried += verdicts.length;
  const survivors = verdicts.filter(({ fixed }) => fixed.length > 0);
  for (const { candidate, fixed } of verdicts) if (fixed.length === 0) ruleOut(search, candidate);
  log.act({
    type: 'test_execution',
    description:
      `Tried ${verdicts.length} edits on ${failing} failing tests of ${search.group.file} in ${processes} processes, ` +
      `${Math.round(performance.now() - started)} ms: ${survivors.length} made at least one pass.`,
    file_path: search.group.file,
  });
  const claims = await withoutBreakage(search, survivors);
  const whole = claims.filter(({ fixed }) => fixed >= failing);
  search.partial.push(...claims.filter(({ fixed }) => fixed < failing));
  return await confirm(search, whole);
}

/** Survivors that leave the other tests of the file as they are; those that do not are refuted. */
async function withoutBreakage(search: Search, survivors: readonly FastVerdict[]): Promise<Claim[]> {
  if (survivors.length === 0) return [];
  const { ground, bounds } = search;
  const candidates = survivors.map(({ candidate }) => candidate);
  const { verdicts } = await tryFast({ ...ground, only: undefined }, candidates, {
    mode: 'all',
    deadline: bounds.deadline,
  });
  const broken = new Map(verdicts.map((verdict) => [verdict.candidate, verdict.broken.length]));
  const claims: Claim[] = [];
  for (const { candidate, fixed } of survivors) {
    const breaks = broken.get(candidate) ?? 0;
    if (breaks === 0) claims.push({ candidate, fixed: fixed.length });
    else refute(search, candidate, `fixes ${fixed.length} tests and breaks ${breaks}`);
  }
  return claims;
}

function refute(search: Search, candidate: Candidate, how: string): void {
  ruleOut(search, candidate);
  search.log.nearest ??= `${candidate.signature}: ${how}`;
}

function ruleOut({ log, scope }: Search, { signature }: Candidate): void {
  log.refuted.add(signature + scope);
}

async function confirm(search: Search, claims: readonly Claim[]): Promise<ColdVerdict | undefined> {
  if (claims.length === 0) return undefined;
  const { context, group, bounds, log } = search;
  const { accepted, plausible, refuted } = await verifyClaims(context, group, {
    claims,
    deadline: bounds.deadline,
  });
  for (const { candidate, fixed, broken } of refuted) {
    refute(search, candidate, `fixes ${fixed.length} tests and breaks ${broken.length}`);
  }
  if (accepted === undefined) return undefined;
  const others = [...plausible.map(({ candidate }) => candidate), ...claims.map(({ candidate }) => candidate)]
    .filter((candidate, index, all) => candidate !== accepted.candidate && all.indexOf(candidate) === index)
    .filter(({ signature }) => !log.refuted.has(signature + search.scope));
  if (others.length > 0) {
    const shown = others.slice(0, SHOWN_SUSPECTS).map(({ signature }) => signature);
    log.reason(`Other edits that would do as far as the tests tell (${others.length}): ${shown.join('; ')}.`);
  }
  return accepted;
}

/** Candidates that only a process of their own can try, each at the price of a run of the test file. */
async function tryAlone(search: Search, left: readonly Candidate[]): Promise<ColdVerdict | undefined> {
  const { context, group, log } = search;
  for (const [index, candidate] of left.slice(0, MAX_COLD).entries()) {
    if (!mayGoOn(search)) break;
    if (index === 0) context.onProgress(`trying ${Math.min(left.length, MAX_COLD)} edits one by one`);
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

function mayGoOn({ context, bounds }: Search): boolean {
  return !context.signal.aborted && performance.now() < bounds.deadline;
}
