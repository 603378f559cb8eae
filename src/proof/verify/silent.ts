import { join } from 'node:path';
import type { Check } from '../../ports.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { findUnrunTest } from '../assertions/unrun-tests.ts';
import {
  failingRunMs,
  hasTurnedGreen,
  requestInCheckout,
  testsOf,
  type NotedRuns,
  type Verification,
} from './verification.ts';
import { textOf } from '../../platform/files/text-of.ts';

/** A sentence on a command that turned green by new tests that assert nothing; undefined if there is none. */
export async function findHollow(
  baseline: Evaluation,
  verification: Verification,
): Promise<string | undefined> {
  const { checks, evaluation: asked } = verification;
  const commands = checks.filter((check) => hasTurnedGreen(check, baseline, verification));
  if (commands.length === 0) return undefined;
  const { added = [] } = (await asked.audit?.()) ?? {};
  const { findHollowTests } = await import('../assertions/hollow-tests.ts');
  for (const { plan } of commands) {
    const hollow = findHollowTests(asked.root, { command: plan.args[0]!, packageDir: plan.cwd }, added);
    if (hollow !== undefined) return hollow;
  }
  return undefined;
}

/** A sentence on a test or command that turned green and whose comparisons do not run; undefined if there is none. */
export async function findSilent(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<string | undefined> {
  const { findSilentTest } = await import('../canaries/canary-in-place.ts');
  for (const check of verification.checks) {
    const silentCommand = hasTurnedGreen(check, baseline, verification)
      ? await findSilentLine(check, baseline, verification)
      : undefined;
    if (silentCommand !== undefined) return silentCommand;
    const unreachedLine = hasTurnedGreen(check, baseline, verification)
      ? await findUnreached(check, verification)
      : undefined;
    if (unreachedLine !== undefined) return unreachedLine;
    const tests = testsOf(check, baseline, verification);
    if (tests === undefined) continue;
    const request = await requestInCheckout(check, verification);
    const unrun = findUnrunTest(tests.before, tests.now, (file) => textOf(join(request.root, file)));
    if (unrun !== undefined) return unrun;
    const timeoutMs = failingRunMs(check, verification);
    const silent = await findSilentTest(check, { request: { ...request, timeoutMs }, ...tests });
    if (silent !== undefined) return silent;
    const { sources = [], baseText, isJudge } = (await verification.evaluation.audit?.()) ?? {};
    if (baseText === undefined || isJudge === undefined) continue;
    if (sources.length === 0 && (await baseText('package.json')) === undefined) continue;
    const { findJudgeInSource } = await import('../assertions/source-judges.ts');
    const judge = await findJudgeInSource(check, { request, ...tests, sources, baseText, isJudge });
    if (judge !== undefined) return judge;
    const { findSilencedHelper } = await import('../assertions/silenced-helpers.ts');
    const helper = await findSilencedHelper(check, { request, ...tests, sources, baseText, isJudge });
    if (helper !== undefined) return helper;
    const { findOverriddenHelper } = await import('../assertions/overridden-helpers.ts');
    const overridden = await findOverriddenHelper(check, { request, ...tests, sources, baseText, isJudge });
    if (overridden !== undefined) return overridden;
    const { findSwappedJudge } = await import('../assertions/swapped-judges.ts');
    const swapped = await findSwappedJudge(check, { request, ...tests, sources, baseText, isJudge });
    if (swapped !== undefined) return swapped;
    const { findUnexecutedAssertion } = await import('../assertions/unexecuted-assertions.ts');
    const unexecuted = await findUnexecutedAssertion(noted.get(check)!.check, { request, ...tests });
    if (unexecuted !== undefined) return unexecuted;
    const { findEmptiedList } = await import('../assertions/emptied-lists.ts');
    const emptied = await findEmptiedList(noted.get(check)!.check, { request, ...tests, sources, baseText });
    if (emptied !== undefined) return emptied;
    const { findUnreachedComparison } = await import('../assertions/unreached-comparisons.ts');
    const own = { request: { ...request, timeoutMs }, ...tests, sources, baseText };
    const unreached = await findUnreachedComparison(check, own);
    if (unreached !== undefined) return unreached;
    const { findDeadAssertion } = await import('../assertions/dead-assertions.ts');
    const dead = await findDeadAssertion(check, own);
    if (dead !== undefined) return dead;
  }
  return undefined;
}

async function findSilentLine(
  check: Check,
  { diagnostics }: Evaluation,
  verification: Verification,
): Promise<string | undefined> {
  const { findSilentCommand } = await import('../canaries/silent-command.ts');
  const { findSilentProgram } = await import('../canaries/toothless-programs.ts');
  const request = await requestInCheckout(check, verification);
  const timeoutMs = failingRunMs(check, verification);
  const failed = diagnostics.filter((it) => it.check === check.plan.name);
  return (
    (await findSilentCommand(check, request)) ??
    (await findSilentProgram(check, { ...request, timeoutMs }, failed))
  );
}

async function findUnreached(check: Check, verification: Verification): Promise<string | undefined> {
  const audit = await verification.evaluation.audit?.();
  if (audit === undefined || audit.sources.length === 0) return undefined;
  const { findUnreachedAssertion } = await import('../assertions/unreached-assertions.ts');
  const request = await requestInCheckout(check, verification);
  const timeoutMs = failingRunMs(check, verification);
  const { sources, baseText } = audit;
  const judges = await audit.judges();
  return findUnreachedAssertion(check, { request: { ...request, timeoutMs }, sources, baseText, judges });
}
