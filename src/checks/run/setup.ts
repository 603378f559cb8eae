import { join } from 'node:path';
import type { CheckPlan, CheckReport, CheckRequest } from '../../ports.ts';
import type { ProcessOutcome } from '../../platform/processes/process.ts';
import { createReport } from './check-report.ts';
import { runCheck } from './check-run.ts';

/** A plan for a check that leaves the setup to the suite, which runs what several checks share once. */
export function withoutSetup(plan: CheckPlan): CheckPlan {
  return { ...plan, setup: [] };
}

/**
 * Runs the setup commands of all plans in order, each command once in its folder. Gives, by a plan's name, the
 * report that stands for a check whose setup failed; later checks that share the command fail with it.
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

/** A setup that succeeds leads on to nothing here. The runner's own variables are not the build's. */
async function runOne(
  plan: CheckPlan,
  command: string,
  request: CheckRequest,
): Promise<CheckReport | undefined> {
  const alone: CheckPlan = { ...plan, setup: [command], env: {} };
  let succeeded = false;
  // A folder of its own: what the setup runs is not to reach the checks' caches.
  const own = { ...request, cacheDir: join(request.cacheDir, 'setup') };
  const report = await runCheck(alone, own, async (run) => {
    succeeded = true;
    return createReport(run, {
      status: 'pass',
      detail: 'The setup succeeded.',
      command,
      outcome: NOTHING_RAN,
    });
  });
  return succeeded ? undefined : report;
}

const NOTHING_RAN: ProcessOutcome = {
  ...{ exitCode: 0, signal: null, stdout: '', stderr: '' },
  ...{ timedOut: false, aborted: false, durationMs: 0 },
};

function relabel(report: CheckReport, { name, kind, tool }: CheckPlan): CheckReport {
  const diagnostics = report.diagnostics.map((diagnostic) => ({ ...diagnostic, check: name }));
  return { ...report, name, kind, tool, diagnostics };
}
