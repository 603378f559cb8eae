import { join } from 'node:path';
import type { Check, PristineTree } from '../../ports.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';
import type { Evaluation, TestCase } from '../../schema/generated.ts';
import type { ToothlessTests } from '../canaries/canary-in-place.ts';
import { flippedTests } from '../flipped-tests.ts';
import { NOTED_COPIES, passesIn, runAgain, runRounds } from '../stability.ts';
import { isQuick } from './quick-runs.ts';
import {
  failingRunMs,
  hasTurnedGreen,
  isBuilt,
  lacksSetup,
  testsOf,
  type Verification,
} from './verification.ts';

/**
 * Runs of the proof in a second checkout, beside those in the first one. What they show counts only where unchanged copies of
 * the tests pass in it: then nothing that an earlier run left in the first checkout is missing.
 */
export interface Aside {
  /** The result there of tests with wrong expected values; undefined if it does not count. */
  canaries(check: Check): Promise<ToothlessTests | undefined>;
  /** For a run of the check there; undefined if it would not count. */
  request(check: Check): Promise<CheckRequest | undefined>;
  /** Settles when no run is made there any more; never rejects. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts the runs; undefined if there are none. `open` makes the checkout. Only short checks are run there, in a sandbox, which
 * has its own network and temporary files.
 */
export function startAside(
  baseline: Evaluation,
  verification: Verification,
  open: () => Promise<PristineTree | undefined>,
): Aside | undefined {
  const checks = verification.checks.filter((check) => mayRunBeside(check, baseline, verification));
  if (checks.length === 0 || verification.sandbox === undefined) return undefined;
  const runs = runAll(checks, { baseline, verification, open });
  const found = async (check: Check): Promise<Shown | undefined> => (await runs).get(check);
  return {
    canaries: async (check) => (await found(check))?.result,
    request: async (check) => {
      const shown = await found(check);
      return shown?.isWhole === true ? shown.request : undefined;
    },
    ended: runs,
  };
}

interface Shown {
  readonly request: CheckRequest;
  readonly result: ToothlessTests;
  /** Unchanged copies passed as well. */
  readonly isWhole: boolean;
}

interface AsideRequest {
  readonly baseline: Evaluation;
  readonly verification: Verification;
  readonly open: () => Promise<PristineTree | undefined>;
}

/** Never rejects: without a second checkout, everything runs in the first one. */
async function runAll(
  checks: readonly Check[],
  { baseline, verification, open }: AsideRequest,
): Promise<ReadonlyMap<Check, Shown>> {
  const shown = new Map<Check, Shown>();
  const { findToothlessTests } = await import('../canaries/canary-in-place.ts');
  for (const check of checks) {
    const place = await placeFor(check, verification, open).catch(() => undefined);
    if (place?.sandbox === undefined) continue;
    const tests = testsOf(check, baseline, verification)!;
    const cacheDir = join(verification.request.cacheDir, `${check.plan.name}-aside`);
    const request = { ...verification.request, cacheDir, root: place.root, sandbox: place.sandbox };
    const timeoutMs = failingRunMs(check, verification);
    const asked = { request: { ...request, timeoutMs }, ...tests };
    const shownThere = await findToothlessTests(check, asked, NOTED_COPIES).catch(() => undefined);
    if (shownThere === undefined) continue;
    const flipped = flippedTests(tests.before, tests.now);
    const result = await withRounds(check, request, { flipped, result: shownThere });
    const isWhole = passAgain(flipped, result);
    if (isWhole || result.tampering.length > 0) shown.set(check, { request, result, isWhole });
  }
  return shown;
}

/**
 * The second checkout; for a check that needs what a command builds, the workspace, in which that was done. There, what the
 * checks changed must have been looked for before.
 */
async function placeFor(
  check: Check,
  verification: Verification,
  open: AsideRequest['open'],
): Promise<Pick<CheckRequest, 'root' | 'sandbox'> | undefined> {
  if (!isBuilt(check, verification)) return open();
  const { evaluation, since, request } = verification;
  await evaluation.audit?.(since);
  return request;
}

interface Flipped {
  readonly flipped: readonly TestCase[];
  readonly result: ToothlessTests;
}

/**
 * Where the runner takes no copies beside wrong values, copies run beside the files alone, in one start. Where it takes none at
 * all, the files run again as they are, in the reverse order.
 */
async function withRounds(
  check: Check,
  request: CheckRequest,
  { flipped, result }: Flipped,
): Promise<ToothlessTests> {
  if (result.rounds.length > 0 || result.tampering.length > 0) return result;
  const copied = await runRounds(check, request, flipped);
  const rounds = copied ?? (await runAgain(check, request, flipped));
  return { ...result, rounds };
}

function passAgain(flipped: readonly TestCase[], { rounds }: ToothlessTests): boolean {
  return rounds.length > 0 && rounds.every((round) => flipped.every((test) => passesIn(round, test)));
}

/** A check with tests that failed before, and that needs nothing which only the workspace has. */
function mayRunBeside(check: Check, baseline: Evaluation, verification: Verification): boolean {
  const report = verification.reports.find((it) => it.name === check.plan.name);
  const tests = testsOf(check, baseline, verification);
  return (
    report !== undefined &&
    isQuick(report, report.tests) &&
    !lacksSetup(check, verification) &&
    !hasTurnedGreen(check, baseline, verification) &&
    tests !== undefined &&
    flippedTests(tests.before, tests.now).length > 0
  );
}
