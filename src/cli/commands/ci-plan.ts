import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { planFix } from '../../ci/plan.ts';
import { readEvent } from '../../ci/read-event.ts';
import { openCiRemote, STEP_MS } from '../../ci/remote.ts';
import { CI_DEFAULTS, type CiSettings } from '../../ci/settings.ts';
import { usageError } from '../../errors.ts';
import { parseDurationMs } from '../../platform/text/duration.ts';
import { nonEmpty, resolveBranchOptions, type BranchOptions } from './ci-branch-options.ts';
import { reportStep } from './ci-step-report.ts';

export interface CiPlanOptions extends BranchOptions {
  readonly output: string;
  readonly branch?: string;
  readonly task?: string;
  readonly tryId?: string;
  readonly maxTries?: number;
  readonly maxCost?: number;
  readonly maxCostPerDay?: number;
  readonly maxCostPerMonth?: number;
  readonly lockTimeout?: string;
}

/** `ralph ci plan`: exit code 0 for every decision; the output `run` is `true` or `false`. */
export async function ciPlanCommand(options: CiPlanOptions): Promise<void> {
  const { env } = process;
  const settings = resolveCiSettings(options, env);
  const event = readEvent(env, { branch: nonEmpty(options.branch), task: nonEmpty(options.task) });
  const plan = await planFix({
    event,
    settings,
    openRemote: () =>
      openCiRemote({
        cwd: process.cwd(),
        env,
        endsAt: performance.now() + STEP_MS,
        remote: nonEmpty(options.remote),
        warn: (text) => reportStep({ text, outputs: {} }, {}),
      }),
    tryId: nonEmpty(options.tryId) ?? defaultTryId(env),
    output: resolve(options.output),
    now: () => new Date(),
  });
  reportStep(
    {
      text: plan.run ? plan.text : `No try (${plan.reason}): ${plan.text}`,
      outputs: {
        run: String(plan.run),
        reason: plan.reason,
        'try-id': plan.try_id ?? '',
        branch: plan.branch ?? '',
        head: plan.head ?? '',
      },
      annotations: [{ level: 'notice', title: 'ralph', message: plan.text }],
    },
    env,
  );
}

function resolveCiSettings(options: CiPlanOptions, env: NodeJS.ProcessEnv): CiSettings {
  const { maxTries, maxCost, maxCostPerDay, maxCostPerMonth, lockTimeout } = options;
  if (maxCost === undefined && (maxCostPerDay ?? maxCostPerMonth) !== undefined)
    throw usageError(
      '--max-cost-per-day and --max-cost-per-month need --max-cost: each try counts with its maximum cost.',
      'Add --max-cost USD; ralph ci fix enforces it.',
    );
  return {
    ...resolveBranchOptions(options),
    maxTries: maxTries ?? CI_DEFAULTS.maxTries,
    maxCostUsd: maxCost,
    maxCostPerDayUsd: maxCostPerDay,
    maxCostPerMonthUsd: maxCostPerMonth,
    lockMs: lockTimeout === undefined ? CI_DEFAULTS.lockMs : parseLockTimeout(lockTimeout),
    workflow: nonEmpty(env.GITHUB_WORKFLOW),
    workflowPath: workflowPathOf(env),
  };
}

/** `octo-org/shop/.github/workflows/ralph.yml@refs/heads/main` → `.github/workflows/ralph.yml`. */
function workflowPathOf({ GITHUB_WORKFLOW_REF: text = '' }: NodeJS.ProcessEnv): string | undefined {
  return /^[^/]+\/[^/]+\/([^@]+)@/.exec(text)?.[1];
}

function parseLockTimeout(text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw usageError(
    `--lock-timeout ${JSON.stringify(text)} is not a duration.`,
    'Give one such as 90m or 2h.',
  );
}

function defaultTryId({ GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt }: NodeJS.ProcessEnv): string {
  return run === undefined || run === '' ? `try-${randomUUID().slice(0, 13)}` : `${run}-${attempt ?? '1'}`;
}
