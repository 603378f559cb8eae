import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import { createImportGraph } from '../../platform/modules/import-graph.ts';
import type { TreeAudit } from '../../ports/evaluation.ts';
import type { Evaluation, Tampering } from '../../schema/generated.ts';
import { findUncheckedFiles } from '../delivery/unchecked-files.ts';
import { flippedTests } from '../flipped-tests.ts';
import { NOTED_COPIES } from '../stability.ts';
import { findInSources, type Findings } from './in-sources.ts';
import {
  failingRunMs,
  hasTurnedGreen,
  isCandidate,
  requestInCheckout,
  testsOf,
  type NotedRuns,
  type Verification,
} from './verification.ts';

/** What is wrong with a tree whose checks pass: cheap observations first, then canaries, at last the changed sources. */
export async function findTampering(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<Findings> {
  const { evaluation: asked, reports, checks } = verification;
  const audit = await asked.audit?.(verification.since);
  const changedByBaseline = new Set((baseline.tampering ?? []).map(({ file }) => file));
  for (const file of baseline.written_files ?? []) changedByBaseline.add(file);
  const changed = (audit?.tampering ?? []).filter(({ file }) => !changedByBaseline.has(file));
  const added = audit?.added ?? [];
  const unchecked = reports
    .filter((report) => audit?.isReconfigured(report.name) !== true)
    .flatMap((report) => findUncheckedFiles(report, { root: asked.root, baseline, added }));
  const found = [...changed, ...unchecked];
  if (found.length > 0 || !isCandidate(asked)) return { tampering: found };
  const own = { ...verification, noted };
  const canaries = (): Promise<Tampering[]> => findAllCanaries(audit, baseline, own);
  const isTurned = (check: Check): boolean => hasTurnedGreen(check, baseline, verification);
  if (audit === undefined || verification.aside === undefined || checks.some(isTurned)) {
    const passing = await canaries();
    return passing.length > 0 || audit === undefined
      ? { tampering: passing }
      : findInSources(audit, baseline, own);
  }
  // The canaries are in the second checkout: meanwhile the sources are watched in the first one.
  const inSources = findInSources(audit, baseline, own);
  const isAside = await hasAside(baseline, own).catch(() => false);
  // Otherwise they change the tests of the first one.
  if (!isAside) await inSources;
  const [passing, acts] = await Promise.all([canaries(), inSources]);
  return passing.length > 0 ? { tampering: passing } : acts;
}

/** Whether the second checkout has shown the canaries of every check that has any. */
async function hasAside(baseline: Evaluation, verification: Verification): Promise<boolean> {
  for (const check of verification.checks) {
    const tests = testsOf(check, baseline, verification);
    const isFlipped = tests !== undefined && flippedTests(tests.before, tests.now).length > 0;
    if (isFlipped && (await verification.aside!.canaries(check)) === undefined) return false;
  }
  return true;
}

async function findAllCanaries(
  audit: TreeAudit | undefined,
  baseline: Evaluation,
  verification: Verification & { readonly noted: NotedRuns },
): Promise<Tampering[]> {
  const passing: Tampering[] = [];
  // In sequence: one check must not find the copies of another check's test files.
  for (const check of verification.checks) {
    passing.push(...(await findCanaries(check, baseline, { ...verification, audit })));
    if (audit === undefined || !hasTurnedGreen(check, baseline, verification)) continue;
    const { findToothlessPrograms } = await import('../canaries/toothless-programs.ts');
    const request = await requestInCheckout(check, verification);
    const timeoutMs = failingRunMs(check, verification);
    const judges = await audit.judges();
    passing.push(...(await findToothlessPrograms(check, { request: { ...request, timeoutMs }, judges })));
  }
  return passing;
}

async function findCanaries(
  check: Check,
  baseline: Evaluation,
  verification: Verification & { readonly noted: NotedRuns; readonly audit: TreeAudit | undefined },
): Promise<Tampering[]> {
  const tests = testsOf(check, baseline, verification);
  if (tests === undefined) return [];
  const { request } = verification;
  // The canaries need a parser, which loads only here.
  const { findPassingCanaries } = await import('../canaries/canary.ts');
  const { findToothlessTests } = await import('../canaries/canary-in-place.ts');
  const timeoutMs = failingRunMs(check, verification);
  const inPlace = { request: { ...(await requestInCheckout(check, verification)), timeoutMs }, ...tests };
  const { tampering, canFail, rounds } =
    (await verification.aside?.canaries(check)) ?? (await findToothlessTests(check, inPlace, NOTED_COPIES));
  if (tampering.length > 0) return tampering;
  for (const round of rounds) verification.noted.get(check)!.noteRound(round);
  const own = { ...request, timeoutMs, cacheDir: join(request.cacheDir, check.plan.name) };
  const graph = createImportGraph(request.root, { withTypes: false });
  const sources = verification.audit?.sources ?? [];
  const isReached = (test: string): boolean =>
    graph.reachedFrom(test).some(({ file }) => sources.includes(file));
  return findPassingCanaries(check, { request: own, ...tests, done: canFail, isReached });
}
