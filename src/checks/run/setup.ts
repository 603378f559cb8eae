import { join } from 'node:path';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { createReport, notStarted } from './check-report.ts';
import { runCheck } from './check-run.ts';

/** A plan without setup commands: the suite runs those that several checks share once. */
export function withoutSetup(plan: CheckPlan): CheckPlan {
  return { ...plan, setup: [] };
}

/**
 * Runs the setup commands of all plans in order, each command once per folder. Returns the report of each check whose
 * setup failed, by name; every check that shares the failed command has one.
 */
export async function runSharedSetup(
  plans: readonly CheckPlan[],
  request: CheckRequest,
): Promise<ReadonlyMap<string, CheckReport>> {
  const done = new Map<string, CheckReport | undefined>();
  const failed = new Map<string, CheckReport>();
  for (const plan of plans) {
    for (const command of plan.setup) {
      const key = `${plan.cwd}\0${command}`;
      if (!done.has(key)) done.set(key, await runOne(plan, command, request));
      const report = done.get(key);
      if (report === undefined) continue;
      failed.set(plan.name, relabel(report, plan));
      break;
    }
  }
  return failed;
}

/** Runs one setup command, without the environment variables of the check; undefined where it succeeds. */
async function runOne(
  plan: CheckPlan,
  command: string,
  request: CheckRequest,
): Promise<CheckReport | undefined> {
  const setupPlan: CheckPlan = { ...plan, setup: [command], env: {} };
  let succeeded = false;
  // A separate cache folder, so that the setup cannot write the caches of the checks.
  const setupRequest = { ...request, cacheDir: join(request.cacheDir, 'setup') };
  const report = await runCheck(setupPlan, setupRequest, async (run) => {
    succeeded = true;
    return createReport(run, {
      status: 'pass',
      detail: 'The setup succeeded.',
      command,
      outcome: notStarted,
    });
  });
  return succeeded ? undefined : report;
}

function relabel(report: CheckReport, { name, kind, tool }: CheckPlan): CheckReport {
  const diagnostics = report.diagnostics.map((diagnostic) => ({ ...diagnostic, check: name }));
  return { ...report, name, kind, tool, diagnostics };
}
