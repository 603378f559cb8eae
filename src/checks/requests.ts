import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import type { Sandbox } from '../platform/sandbox/sandbox.ts';
import type { Check } from '../ports.ts';
import type { CheckReport, CheckRequest } from '../ports/evaluation.ts';
import type { CheckPlan, ProjectPlan } from '../ports/plan.ts';

/** The checks of a project, and how they are run. */
export interface CheckSettings {
  readonly plan: ProjectPlan;
  /** One per check of the plan, created from it by `withoutSetup`: setup commands are run once for all checks. */
  readonly checks: readonly Check[];
  /** Absolute folder of ours, outside the tree, kept between runs. */
  readonly cacheDir: string;
  readonly checkTimeoutMs: number;
  /** Confines the tools; without it they have ralph's own rights. */
  readonly sandbox?: Sandbox | undefined;
}

/** The request for all checks of a tree, with caches. */
export function requestFor(
  { cacheDir, checkTimeoutMs, sandbox }: CheckSettings,
  { root, signal }: Pick<CheckRequest, 'root' | 'signal'>,
): CheckRequest {
  return { root, signal, cacheDir, timeoutMs: checkTimeoutMs, fresh: false, sandbox };
}

/** The same request with the check's own cache folder. */
export function inOwnFolder({ plan }: Check, request: CheckRequest): CheckRequest {
  return { ...request, cacheDir: join(request.cacheDir, plan.name) };
}

/** The plans whose setup commands run before these checks; a check that kept its setup runs it itself. */
export function setupPlans({ plan }: CheckSettings, checks: readonly Check[]): readonly CheckPlan[] {
  const names = checks.filter((check) => check.plan.setup.length === 0).map((check) => check.plan.name);
  return plan.checks.filter(({ name }) => names.includes(name));
}

/** Runs a check; where it rejects, for example because the disk is full, the report says that it could not run. */
export async function runSafely(check: Check, request: CheckRequest): Promise<CheckReport> {
  try {
    return await check.run(request);
  } catch (error) {
    const { name, kind, tool } = check.plan;
    return {
      name,
      kind,
      tool,
      status: 'error',
      detail: `The check could not run: ${messageOf(error)}`.slice(0, 2_000),
      passed: 0,
      failed: 0,
      skipped: 0,
      total: 0,
      errors: 0,
      warnings: 0,
      duration_ms: 0,
      exit_code: null,
      command: '',
      output: '',
      diagnostics: [],
      tests: [],
    };
  }
}
