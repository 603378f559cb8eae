import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CheckReport, CheckRequest } from '../../ports/evaluation.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { runProcess, type ProcessOutcome, type ProcessRequest } from '../../platform/processes/process.ts';
import { pathWithRecentNode } from '../../platform/processes/script-node.ts';
import { toolEnvironment } from '../../platform/processes/tool-environment.ts';
import { createReport } from './check-report.ts';
import { scriptVariables } from './npm-variables.ts';
import { plainScript } from './plain-script.ts';
import { reportFailedSetup } from './setup-failure.ts';
import { createTreePaths, type TreePaths } from '../results/tree-paths.ts';

/** The surroundings of one run of a check. */
export interface CheckRun {
  readonly plan: CheckPlan;
  readonly request: CheckRequest;
  /** Absolute folder that the tool runs in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly paths: TreePaths;
  /** Absolute, empty folder for the tool's report, removed when the run ends. */
  readonly reportDir: string;
  /** Runs a program in `cwd`, within the rest of the check's time. `env` is added to that of the run. Never rejects. */
  spawn(
    program: Pick<ProcessRequest, 'file' | 'args' | 'shell' | 'onOutput' | 'keepBytes'> &
      Partial<Pick<ProcessRequest, 'env'>>,
  ): Promise<ProcessOutcome>;
}

/**
 * Prepares a run, runs the plan's setup commands, then `body`. A failed setup command is the report. Rejects only
 * where the cache folder cannot be written.
 */
export async function runCheck(
  plan: CheckPlan,
  request: CheckRequest,
  body: (run: CheckRun) => Promise<CheckReport>,
): Promise<CheckReport> {
  const started = performance.now();
  const reportDir = join(request.cacheDir, `report-${randomUUID()}`);
  await mkdir(reportDir, { recursive: true, mode: 0o700 });
  try {
    const run = createRun(plan, request, reportDir);
    const report = (await runSetup(run)) ?? (await body(run));
    return { ...report, duration_ms: Math.round(performance.now() - started) };
  } finally {
    await rm(reportDir, { recursive: true, force: true });
  }
}

function createRun(plan: CheckPlan, request: CheckRequest, reportDir: string): CheckRun {
  const cwd = resolve(request.root, plan.cwd);
  const env = checkEnvironment(plan, request, cwd);
  const deadline = performance.now() + request.timeoutMs;
  return {
    plan,
    request,
    cwd,
    env,
    reportDir,
    paths: createTreePaths(request.root, cwd),
    spawn: (program) =>
      runProcess({
        ...program,
        cwd,
        env: { ...env, ...program.env },
        sandbox: request.sandbox?.allowing({ write: [request.cacheDir, ...(request.writable ?? [])] }),
        signal: request.signal,
        timeoutMs: Math.max(1, deadline - performance.now()),
      }),
  };
}

function checkEnvironment(
  plan: CheckPlan,
  { root, memoryMb, preload, loadsOwn = false }: CheckRequest,
  cwd: string,
): Record<string, string> {
  const given = toolEnvironment([cwd, root], {
    ...scriptVariables(plan.source, cwd, root),
    ...plan.env,
  });
  const env = loadsOwn ? { ...given, PATH: pathWithRecentNode(given['PATH'] ?? '') } : given;
  // Before the modules that the check's own options load.
  const preloads =
    preload === undefined ? [] : [`--require=${quoted(preload.common)}`, `--import=${preload.module}`];
  const memory = memoryMb === undefined ? '' : `--max-old-space-size=${memoryMb}`;
  const options = [...preloads, env['NODE_OPTIONS'], memory].filter(Boolean).join(' ');
  return options === '' ? env : { ...env, NODE_OPTIONS: options };
}

/** A value of an option in `NODE_OPTIONS`. */
function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

async function runSetup(run: CheckRun): Promise<CheckReport | undefined> {
  for (const command of run.plan.setup) {
    if (await runPlainly(run, command)) continue;
    const outcome = await run.spawn({ shell: command });
    if (succeeded(outcome)) continue;
    return createReport(run, reportFailedSetup(run, command, outcome));
  }
  return undefined;
}

/** Runs the script behind a call of a package manager without its start; false where that is not possible, or it fails. */
async function runPlainly(run: CheckRun, command: string): Promise<boolean> {
  const script = plainScript(command, run.cwd);
  return script !== undefined && succeeded(await run.spawn(script));
}

function succeeded({ exitCode, timedOut, aborted }: ProcessOutcome): boolean {
  return exitCode === 0 && !timedOut && !aborted;
}
