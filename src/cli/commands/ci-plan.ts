import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { planFix } from '../../ci/plan.ts';
import { readEvent } from '../../ci/read-event.ts';
import { openCiRemote } from '../../ci/remote.ts';
import { CI_DEFAULTS, type CiSettings } from '../../ci/settings.ts';
import { usageError } from '../../errors.ts';
import { parseDurationMs } from '../../platform/text/duration.ts';
import { given, placeSettings, type PlaceOptions } from './ci-place.ts';
import { reportStep } from './ci-report.ts';

export interface CiPlanOptions extends PlaceOptions {
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

/** `ralph ci plan`: exit code 0 whatever was decided; the output `run` says it. */
export async function ciPlanCommand(options: CiPlanOptions): Promise<void> {
  const { env } = process;
  const settings = settingsOf(options, env.GITHUB_WORKFLOW);
  const event = readEvent(env, { branch: given(options.branch), task: given(options.task) });
  const cwd = process.cwd();
  const plan = await planFix({
    event,
    settings,
    openRemote: () => openCiRemote({ cwd, env, remote: given(options.remote), warn }),
    tryId: given(options.tryId) ?? tryIdOf(env),
    output: resolve(options.output),
    now: () => new Date(),
  });
  reportStep(
    {
      text: plan.run ? plan.text : `Left alone (${plan.reason}): ${plan.text}`,
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

function settingsOf(options: CiPlanOptions, workflow: string | undefined): CiSettings {
  const { maxTries, maxCost, maxCostPerDay, maxCostPerMonth, lockTimeout } = options;
  if (maxCost === undefined && (maxCostPerDay ?? maxCostPerMonth) !== undefined)
    throw usageError(
      'A budget for a day or a month is counted by what one try may cost.',
      'Add --max-cost USD; ralph ci fix is held to it.',
    );
  return {
    ...placeSettings(options),
    maxTries: maxTries ?? CI_DEFAULTS.maxTries,
    maxCostUsd: maxCost,
    maxCostPerDayUsd: maxCostPerDay,
    maxCostPerMonthUsd: maxCostPerMonth,
    lockMs: lockTimeout === undefined ? CI_DEFAULTS.lockMs : durationOf(lockTimeout),
    workflow: given(workflow),
  };
}

function durationOf(text: string): number {
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  throw usageError(`--lock-timeout ${JSON.stringify(text)} is no duration.`, 'Such as 90m or 2h.');
}

function tryIdOf({ GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt }: NodeJS.ProcessEnv): string {
  return run === undefined || run === '' ? `try-${randomUUID().slice(0, 13)}` : `${run}-${attempt ?? '1'}`;
}

function warn(text: string): void {
  reportStep({ text, outputs: {} }, {});
}
