import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestIds } from '../checks/results/test-ids.ts';
import { createTreePaths } from '../checks/results/tree-paths.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type {
  Check,
  CheckReport,
  CheckRequest,
  EvaluationRequest,
  ProjectPlan,
  TreeAudit,
} from '../ports.ts';
import type { Evaluation, Tampering, TestCase } from '../schema/generated.ts';
import { failedHoldout, passesHoldout } from './holdout.ts';
import { rejectTampered, withFailedCheck } from './rejected-evaluation.ts';
import {
  describeUnstable,
  describeUnstableCommand,
  findUnstableCommand,
  findUnstableTests,
  noteRuns,
  type NotedCheck,
} from './stability.ts';
import type { OpenPristine } from './test-command.ts';
import { findUncheckedFiles } from './unchecked-files.ts';
import { findUnrunTest } from './unrun-tests.ts';
import { findReplacedBuiltIns } from './watched/built-ins.ts';
import { findChangedExpectations } from './watched/read-data.ts';
import { findSelfJudging } from './watched/judged-command.ts';

/** Name of the check that reports tests that do not pass each time. */
const STABILITY = 'stability';

/** Name of the check that reports commands and tests that pass for nothing. */
const CRITERIA = 'criteria';

/** Inputs for the verification of an evaluation. */
export interface Verification {
  readonly plan: ProjectPlan;
  readonly checks: readonly Check[];
  readonly ids: TestIds;
  /** The request that the evaluation answers. */
  readonly evaluation: EvaluationRequest;
  /** When the checks began, in milliseconds since the epoch. */
  readonly since: number;
  /** An uncached request for the same tree. */
  readonly request: CheckRequest;
  /** The reports that the evaluation was made from. */
  readonly reports: readonly CheckReport[];
  /** Command line of the held-out checks, which the actor never sees. */
  readonly holdout?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Opens the checkout of what would be delivered. */
  readonly openPristine: OpenPristine;
  /** Makes a checkout for the held-out checks alone, in which nothing has run; undefined: they run where the tree lies. */
  readonly openUnused: OpenPristine;
}

/**
 * The evaluation, or its rejection. Tampering that was found before the checks ran always rejects the tree. An
 * evaluation that passes is verified further: changes that the checks made to the tree, files that they no longer
 * check, canaries, and at last the held-out checks. A baseline is never rejected: it only records which files its
 * checks change.
 */
export async function verifyEvaluation(
  evaluation: Evaluation,
  verification: Verification,
): Promise<Evaluation> {
  const { evaluation: asked, holdout, request, sandbox } = verification;
  const { root, baseline } = asked;
  const noted = new Map(verification.checks.map((check) => [check, noteRuns(check)]));
  if (baseline === undefined) return withChangesByChecks(evaluation, await asked.audit?.(verification.since));
  const known = asked.refused ?? [];
  const { tampering, narrow } = evaluation.passed
    ? await findTampering(baseline, verification, noted)
    : NOTHING;
  const found = [...known, ...tampering];
  if (found.length > 0) return rejectTampered(evaluation, found, createTreePaths(root, root));
  if (!evaluation.passed || !isCandidate(asked)) return evaluation;
  if (narrow !== undefined) return withFailedCheck(evaluation, CRITERIA, { message: narrow, root });
  const hollow =
    (await findHollow(baseline, verification)) ?? (await findSilent(baseline, verification, noted));
  if (hollow !== undefined) return withFailedCheck(evaluation, CRITERIA, { message: hollow, root });
  const unstable = await findUnstable(baseline, verification, noted);
  if (unstable !== undefined) return withFailedCheck(evaluation, STABILITY, { message: unstable, root });
  if (holdout === undefined) return evaluation;
  const { timeoutMs, signal } = request;
  const unused = await verification.openUnused();
  const place = unused ?? { root, sandbox };
  try {
    const passes = await passesHoldout(holdout, {
      root: place.root,
      sandbox: place.sandbox,
      ownFolder: unused?.root,
      timeoutMs,
      signal,
    });
    return passes ? evaluation : failedHoldout(evaluation, root);
  } finally {
    unused?.close();
  }
}

/** The checks with the runs that serve other proofs, and the stability of the tests as well. */
type NotedRuns = ReadonlyMap<Check, NotedCheck>;

/** Whether an actor's tree is about to be accepted. */
function isCandidate({ confirm, refused }: EvaluationRequest): boolean {
  return confirm && refused !== undefined;
}

/** What is wrong with a tree whose checks pass. */
interface Findings {
  readonly tampering: readonly Tampering[];
  /** A sentence on a function that is right for the tested inputs alone, or on an import that the user does not get. */
  readonly narrow?: string | undefined;
}

const NOTHING: Findings = { tampering: [] };

async function findTampering(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<Findings> {
  const { evaluation: asked, reports, checks } = verification;
  const audit = await asked.audit?.(verification.since);
  const changedByBaseline = new Set((baseline.tampering ?? []).map(({ file }) => file));
  const changed = (audit?.tampering ?? []).filter(({ file }) => !changedByBaseline.has(file));
  const added = audit?.added ?? [];
  const unchecked = reports
    .filter((report) => audit?.isReconfigured(report.name) !== true)
    .flatMap((report) => findUncheckedFiles(report, { root: asked.root, baseline, added }));
  const found = [...changed, ...unchecked];
  if (found.length > 0 || !isCandidate(asked)) return { tampering: found };
  const passing: Tampering[] = [];
  // In sequence: one check must not find the copies of another check's test files.
  for (const check of checks) {
    passing.push(...(await findCanaries(check, baseline, verification)));
    if (audit === undefined || !hasTurnedGreen(check, baseline, verification)) continue;
    const { findToothlessPrograms } = await import('./toothless-programs.ts');
    const request = await requestInCheckout(check, verification);
    const timeoutMs = failingRunMs(check, verification);
    const judges = await audit.judges();
    passing.push(...(await findToothlessPrograms(check, { request: { ...request, timeoutMs }, judges })));
  }
  if (passing.length > 0 || audit === undefined) return { tampering: passing };
  return findInSources(audit, baseline, { ...verification, noted });
}

/** Acts of the changed sources by which they decide how they are judged. */
async function findInSources(
  audit: TreeAudit,
  baseline: Evaluation,
  verification: Verification & { readonly noted: NotedRuns },
): Promise<Findings> {
  const { sources, data, baseText, isJudge } = audit;
  if (sources.length + data.length === 0) return NOTHING;
  const { flippedTests } = await import('./canary-in-place.ts');
  const found: Tampering[] = [];
  const pristine = await verification.openPristine();
  const delivered = { ...verification.request, root: pristine?.root ?? verification.request.root };
  const { findUnlistedImport } = await import('./unlisted-imports.ts');
  const editedRoot = verification.evaluation.root;
  let narrow = await findUnlistedImport({ request: delivered, sources, baseText, editedRoot });
  for (const check of verification.checks) {
    if (check.plan.tool === 'eslint') {
      const { findInlineConfiguration } = await import('./inline-config.ts');
      const request = await requestInCheckout(check, verification);
      found.push(...(await findInlineConfiguration(check, { request, sources, baseText })));
      continue;
    }
    const tests = testsOf(check, baseline, verification);
    const isCommand = hasTurnedGreen(check, baseline, verification);
    if (tests === undefined && !isCommand) continue;
    const asked = { request: await requestInCheckout(check, verification), sources, baseText };
    const watched = verification.noted.get(check)!.check;
    if (isCommand) found.push(...(await findSelfJudging(check, isJudge, asked)));
    const flipped = tests && flippedTests(tests.before, tests.now).map(({ file }) => file!);
    const files = flipped && [...new Set(flipped)];
    // What tests read that were green before and are green now proves nothing.
    if (data.length > 0 && files?.length !== 0) {
      const judges = await audit.judges();
      found.push(
        ...(await findChangedExpectations(watched, { request: asked.request, files, judges, data })),
      );
    }
    if (files !== undefined)
      found.push(...(await findReplacedBuiltIns(watched, files, { ...asked, isJudge })));
    if (found.length > 0) continue;
    const { findDecidingSurroundings } = await import('./surroundings/index.ts');
    const judges = files ?? (await audit.judges());
    const passing = tests && flippedTests(tests.before, tests.now);
    found.push(...(await findDecidingSurroundings(check, { ...asked, flipped: passing, judges, isJudge })));
    if (found.length > 0) continue;
    const { replayCalls } = await import('./replay/index.ts');
    const { repository } = pristine ?? {};
    const own = files === undefined ? { isJudge, tested: testFilesOf(check, verification) } : {};
    const replay = await replayCalls(watched, { ...asked, files, repository, ...own });
    found.push(...replay.tampering);
    narrow ??= replay.narrow;
  }
  return { tampering: found, narrow };
}

/** A sentence on tests or commands that turned green and do not pass each time; undefined if there are none. */
async function findUnstable(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<string | undefined> {
  for (const check of verification.checks) {
    if (hasTurnedGreen(check, baseline, verification)) {
      const run = await findUnstableCommand(check, await requestInCheckout(check, verification));
      if (run !== undefined) return describeUnstableCommand(check.plan.args[0]!, run);
    }
    const tests = testsOf(check, baseline, verification);
    if (tests === undefined) continue;
    const { flippedTests } = await import('./canary-in-place.ts');
    const request = await requestInCheckout(check, verification);
    const flipped = flippedTests(tests.before, tests.now);
    const unstable = await findUnstableTests(check, request, flipped, noted.get(check)!.passesOf(flipped));
    if (unstable.length > 0) return describeUnstable(unstable);
  }
  return undefined;
}

/** A sentence on a command that turned green by new tests that assert nothing; undefined if there is none. */
async function findHollow(baseline: Evaluation, verification: Verification): Promise<string | undefined> {
  const { checks, evaluation: asked } = verification;
  const commands = checks.filter((check) => hasTurnedGreen(check, baseline, verification));
  if (commands.length === 0) return undefined;
  const { added = [] } = (await asked.audit?.()) ?? {};
  const { findHollowTests } = await import('./hollow-tests.ts');
  for (const { plan } of commands) {
    const hollow = findHollowTests(asked.root, { command: plan.args[0]!, packageDir: plan.cwd }, added);
    if (hollow !== undefined) return hollow;
  }
  return undefined;
}

/** A sentence on a test or command that turned green and whose comparisons do not run; undefined if there is none. */
async function findSilent(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<string | undefined> {
  const { findSilentTest } = await import('./canary-in-place.ts');
  for (const check of verification.checks) {
    const silentCommand = hasTurnedGreen(check, baseline, verification)
      ? await findSilentLine(check, baseline, verification)
      : undefined;
    if (silentCommand !== undefined) return silentCommand;
    const tests = testsOf(check, baseline, verification);
    if (tests === undefined) continue;
    const request = await requestInCheckout(check, verification);
    const unrun = findUnrunTest(tests.before, tests.now, (file) => textOf(join(request.root, file)));
    if (unrun !== undefined) return unrun;
    const timeoutMs = failingRunMs(check, verification);
    const silent = await findSilentTest(check, { request: { ...request, timeoutMs }, ...tests });
    if (silent !== undefined) return silent;
    const { sources = [], baseText, isJudge } = (await verification.evaluation.audit?.()) ?? {};
    if (baseText === undefined || isJudge === undefined || sources.length === 0) continue;
    const { findJudgeInSource } = await import('./source-judges.ts');
    const judge = await findJudgeInSource(check, { request, ...tests, sources, baseText, isJudge });
    if (judge !== undefined) return judge;
    const { findUnexecutedAssertion } = await import('./unexecuted-assertions.ts');
    const unexecuted = await findUnexecutedAssertion(noted.get(check)!.check, { request, ...tests });
    if (unexecuted !== undefined) return unexecuted;
    const { findUnreachedComparison } = await import('./unreached-comparisons.ts');
    const own = { request: { ...request, timeoutMs }, ...tests, sources, baseText };
    const unreached = await findUnreachedComparison(check, own);
    if (unreached !== undefined) return unreached;
  }
  return undefined;
}

async function findSilentLine(
  check: Check,
  { diagnostics }: Evaluation,
  verification: Verification,
): Promise<string | undefined> {
  const { findSilentCommand } = await import('./silent-command.ts');
  const { findSilentProgram } = await import('./toothless-programs.ts');
  const request = await requestInCheckout(check, verification);
  const timeoutMs = failingRunMs(check, verification);
  const failed = diagnostics.filter((it) => it.check === check.plan.name);
  return (
    (await findSilentCommand(check, request)) ??
    (await findSilentProgram(check, { ...request, timeoutMs }, failed))
  );
}

/** Whether a command failed on the untouched tree and passes now. */
function hasTurnedGreen({ plan }: Check, baseline: Evaluation, { reports }: Verification): boolean {
  const before = baseline.checks.find(({ name }) => name === plan.name);
  const now = reports.find(({ name }) => name === plan.name);
  return plan.tool === 'command' && before?.status === 'fail' && now?.status === 'pass';
}

/** The check's request in the checkout; in the tree itself if the check needs set-up that the test command may not do. */
async function requestInCheckout(check: Check, verification: Verification): Promise<CheckRequest> {
  const { plan, request, openPristine } = verification;
  const own = { ...request, cacheDir: join(request.cacheDir, check.plan.name) };
  const needsSetup = plan.checks.some(({ name, setup }) => name === check.plan.name && setup.length > 0);
  const pristine = needsSetup ? undefined : await openPristine();
  return pristine === undefined ? own : { ...own, root: pristine.root, sandbox: pristine.sandbox };
}

interface BothTests {
  readonly before: readonly TestCase[];
  readonly now: readonly TestCase[];
}

/** Tests of a check that reports them, before and after, with the ids of its own reports. */
function testsOf(check: Check, baseline: Evaluation, { ids, reports }: Verification): BothTests | undefined {
  const report = reports.find(({ name }) => name === check.plan.name);
  if (report === undefined || report.status === 'skip' || check.plan.tool === 'command') return undefined;
  return { before: ids.bare(report.name, baseline.tests), now: ids.bare(report.name, report.tests) };
}

/** Files of the tests that a command reports, relative to the root. */
function testFilesOf({ plan }: Check, { reports }: Verification): string[] {
  const tests = reports.find(({ name }) => name === plan.name)?.tests ?? [];
  return [...new Set(tests.flatMap(({ file }) => file ?? []))];
}

async function findCanaries(
  check: Check,
  baseline: Evaluation,
  verification: Verification,
): Promise<Tampering[]> {
  const tests = testsOf(check, baseline, verification);
  if (tests === undefined) return [];
  const { request } = verification;
  // The canaries need a parser, which loads only here.
  const { findPassingCanaries } = await import('./canary.ts');
  const { findToothlessTests } = await import('./canary-in-place.ts');
  const timeoutMs = failingRunMs(check, verification);
  const inPlace = { request: { ...(await requestInCheckout(check, verification)), timeoutMs }, ...tests };
  const toothless = await findToothlessTests(check, inPlace);
  if (toothless.length > 0) return toothless;
  const own = { ...request, timeoutMs, cacheDir: join(request.cacheDir, check.plan.name) };
  return findPassingCanaries(check, { request: own, ...tests });
}

const SLACK_MS = 5_000;

/** Maximum time for a run in which tests must fail: one that fails before it closes a server would never end. */
function failingRunMs({ plan }: Check, { reports, request }: Verification): number {
  const usual = reports.find(({ name }) => name === plan.name)?.duration_ms ?? 0;
  return Math.min(request.timeoutMs, SLACK_MS + 5 * usual);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function withChangesByChecks(evaluation: Evaluation, audit: TreeAudit | undefined): Evaluation {
  return audit === undefined || audit.tampering.length === 0
    ? evaluation
    : { ...evaluation, tampering: [...audit.tampering] };
}
