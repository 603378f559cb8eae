/**
 * Runs a workflow as the runner of Actions does, as far as its `run` scripts go: they are executed by bash with the
 * environment, outputs and files of a real job. Of the actions of others, what they do to files is done here.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { git } from '../repositories.ts';
import { holds, interpolate, type Contexts } from './expression.ts';
import { parseOutputs, type Outputs } from './job.ts';

export interface ActionStep {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: boolean;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

export interface WorkflowJob {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly steps: readonly ActionStep[];
  readonly 'timeout-minutes'?: number;
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

export interface Run {
  readonly eventName: string;
  readonly payload: object;
  readonly runId: string;
  readonly ref?: string;
}

/** What surrounds a run of a workflow. */
export interface Surroundings {
  /** Folder that gets a folder for each job, and the artifacts of the run. */
  readonly temp: string;
  /** Whose branches are checked out. */
  readonly bare: string;
  readonly action: Action;
  /** For each step: `GITHUB_REPOSITORY`, `GITHUB_API_URL`, … */
  readonly env: Readonly<Record<string, string>>;
  readonly repository: string;
  readonly token: string;
  readonly secrets: Readonly<Record<string, string>>;
  /** Inputs of the action that the test sets, over those of the workflow. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Checkout of the action, if it builds ralph itself. */
  readonly actionPath?: string;
  /** Called before a job starts, with the folder of the run's artifacts, which every job can write. */
  readonly beforeJob?: (name: string, artifacts: string) => void;
  /** Steps of the workflow that change the machine; by a text that is in them. */
  readonly leftOut: readonly string[];
}

/** What a step was given and what it did. */
export interface StepTrace {
  readonly job: string;
  readonly name: string;
  readonly exitCode: number;
  readonly log: string;
  readonly summary: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface JobResult {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly outputs: Outputs;
}

export interface WorkflowResult {
  readonly jobs: Readonly<Record<string, JobResult>>;
  readonly steps: readonly StepTrace[];
}

/** Reads an action or a workflow. */
export function parseYaml<T>(text: string): T {
  return parse(text) as T;
}

/** Every job in the order in which they stand. */
export async function runWorkflow(
  workflow: Workflow,
  run: Run,
  around: Surroundings,
): Promise<WorkflowResult> {
  const artifacts = join(around.temp, `artifacts-${run.runId}`);
  mkdirSync(artifacts, { recursive: true });
  const jobs: Record<string, JobResult> = {};
  const steps: StepTrace[] = [];
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needs = [job.needs ?? []].flat();
    const contexts = {
      github: {
        event: run.payload,
        event_name: run.eventName,
        ref: run.ref ?? 'refs/heads/main',
        ref_name: 'main',
        action_path: around.actionPath ?? '',
        token: around.token,
        run_id: run.runId,
      },
      needs: Object.fromEntries(needs.map((need) => [need, jobs[need]])),
      secrets: around.secrets,
      inputs: (run.payload as { readonly inputs?: object | null }).inputs ?? {},
      vars: {},
    };
    around.beforeJob?.(name, artifacts);
    const isBlocked = needs.some((need) => jobs[need]?.result !== 'success');
    if (!holds(job.if ?? 'true', contexts, isBlocked)) jobs[name] = { result: 'skipped', outputs: {} };
    else
      jobs[name] = await new JobRun({ name, run, around, artifacts, trace: (step) => steps.push(step) }).run(
        job,
        contexts,
      );
  }
  return { jobs, steps };
}

interface JobGround {
  readonly name: string;
  readonly run: Run;
  readonly around: Surroundings;
  readonly artifacts: string;
  readonly trace: (step: StepTrace) => void;
}

class JobRun {
  readonly #ground: JobGround;
  readonly #workspace: string;
  readonly #temp: string;

  constructor(ground: JobGround) {
    this.#ground = ground;
    const home = join(ground.around.temp, `job-${ground.run.runId}-${ground.name}`);
    [this.#workspace, this.#temp] = [join(home, 'work'), join(home, 'temp')];
    rmSync(home, { recursive: true, force: true });
    for (const folder of [this.#workspace, this.#temp]) mkdirSync(folder, { recursive: true });
  }

  async run(job: WorkflowJob, contexts: Contexts): Promise<JobResult> {
    const scope = { ...contexts, runner: { temp: this.#temp } };
    const { failed, steps } = await this.#steps(job.steps, scope, texts(job.env, scope));
    const outputs = texts(job.outputs, { ...scope, steps });
    return { result: failed ? 'failure' : 'success', outputs };
  }

  async #steps(
    list: readonly ActionStep[],
    contexts: Contexts,
    env: Outputs,
  ): Promise<{ failed: boolean; steps: Record<string, unknown> }> {
    const steps: Record<string, unknown> = {};
    let failed = false;
    for (const [at, step] of list.entries()) {
      const scope = { ...contexts, steps, env };
      const text = `${step.run ?? ''} ${step.uses ?? ''}`;
      if (this.#ground.around.leftOut.some((part) => text.includes(part))) continue;
      if (!holds(step.if ?? 'true', scope, failed)) continue;
      const own = { ...env, ...texts(step.env, scope) };
      const done = await (step.run === undefined
        ? this.#use(step, scope, own)
        : this.#script(step, scope, own));
      steps[step.id ?? `step-${at}`] = { outputs: done.outputs, outcome: done.ok ? 'success' : 'failure' };
      failed ||= !done.ok && step['continue-on-error'] !== true;
    }
    return { failed, steps };
  }

  async #use(step: ActionStep, contexts: Contexts, env: Outputs): Promise<Done> {
    const given = texts(step.with, contexts);
    const [name = ''] = (step.uses ?? '').split('@');
    const { around, artifacts } = this.#ground;
    if (name === 'actions/setup-node') return { ok: true, outputs: {} };
    if (name === 'actions/checkout') return this.#checkOut(given);
    const artifact = join(artifacts, given.name ?? '');
    if (name === 'actions/upload-artifact') {
      const there = existsSync(given.path ?? '');
      // Without overwrite, GitHub refuses a second artifact of the same name in a run.
      if (there && existsSync(artifact) && given.overwrite !== 'true') return { ok: false, outputs: {} };
      rmSync(artifact, { recursive: true, force: true });
      if (there) cpSync(given.path!, artifact, { recursive: true });
      return { ok: there || given['if-no-files-found'] !== 'error', outputs: {} };
    }
    if (name === 'actions/download-artifact') {
      if (!existsSync(artifact)) return { ok: false, outputs: {} };
      cpSync(artifact, given.path!, { recursive: true });
      return { ok: true, outputs: {} };
    }
    if (!name.endsWith('/ralph')) throw new Error(`The action ${name} is not known here.`);
    const { inputs, outputs, runs } = around.action;
    const defaults = Object.entries(inputs).map(([key, input]) => [
      key,
      interpolate(input.default ?? '', contexts),
    ]);
    // Contexts of the workflow are not there in an action, but for these.
    const scope = {
      github: contexts.github,
      runner: contexts.runner,
      inputs: { ...(Object.fromEntries(defaults) as Outputs), ...given, ...around.inputs },
    };
    const inner = await this.#steps(runs.steps, scope, env);
    const values = Object.entries(outputs).map(([key, { value }]) => [
      key,
      interpolate(value, { ...scope, steps: inner.steps }),
    ]);
    return { ok: !inner.failed, outputs: Object.fromEntries(values) as Outputs };
  }

  /** As `persist-credentials: false` leaves it: no way to push. */
  #checkOut({ ref = 'main', 'persist-credentials': persist }: Outputs): Done {
    if (persist !== 'false') throw new Error('The checkout keeps the token in .git/config.');
    git(this.#workspace, 'clone', '--quiet', '--no-checkout', this.#ground.around.bare, '.');
    git(this.#workspace, 'checkout', '--quiet', '--detach', ref);
    git(this.#workspace, 'remote', 'remove', 'origin');
    return { ok: true, outputs: {} };
  }

  async #script(step: ActionStep, contexts: Contexts, env: Outputs): Promise<Done> {
    const { run, around, trace, name: job } = this.#ground;
    const files = {
      GITHUB_OUTPUT: 'output',
      GITHUB_STEP_SUMMARY: 'summary',
      GITHUB_EVENT_PATH: 'event.json',
    };
    const paths = Object.fromEntries(
      Object.entries(files).map(([key, file]) => [key, join(this.#temp, file)]),
    );
    writeFileSync(paths.GITHUB_OUTPUT!, '');
    writeFileSync(paths.GITHUB_STEP_SUMMARY!, '');
    writeFileSync(paths.GITHUB_EVENT_PATH!, JSON.stringify(run.payload));
    const given: Record<string, string> = {
      ...{
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: run.eventName,
        GITHUB_RUN_ID: run.runId,
        GITHUB_RUN_ATTEMPT: '1',
      },
      ...{
        GITHUB_REF: run.ref ?? 'refs/heads/main',
        GITHUB_WORKFLOW: 'ralph',
        GITHUB_WORKFLOW_REF: `${around.repository}/.github/workflows/ralph.yml@refs/heads/main`,
        GITHUB_REPOSITORY: around.repository,
      },
      ...{ RUNNER_TEMP: this.#temp, GITHUB_WORKSPACE: this.#workspace },
      ...around.env,
      ...paths,
      ...env,
    };
    const { PATH = '', HOME = '' } = process.env;
    const shell = step.shell === 'bash' ? ['--noprofile', '--norc', '-eo', 'pipefail', '-c'] : ['-e', '-c'];
    const { exitCode, log } = await runBash([...shell, interpolate(step.run!, contexts)], {
      cwd: join(this.#workspace, interpolate(step['working-directory'] ?? '.', contexts)),
      env: { PATH, HOME, ...given },
    });
    const outputs = parseOutputs(readFileSync(paths.GITHUB_OUTPUT!, 'utf8'));
    const summary = readFileSync(paths.GITHUB_STEP_SUMMARY!, 'utf8');
    trace({ job, name: step.name ?? step.run!.slice(0, 40), exitCode, log, summary, env: given });
    return { ok: exitCode === 0, outputs };
  }
}

interface Done {
  readonly ok: boolean;
  readonly outputs: Outputs;
}

/** Not synchronous: the loopback server answers from this very process. */
async function runBash(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly exitCode: number; readonly log: string }> {
  const result = await execa('bash', args, {
    ...options,
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    stripFinalNewline: false,
    reject: false,
  });
  if (result.code !== undefined) throw result;
  return { exitCode: result.exitCode ?? 1, log: result.all };
}

function texts(
  values: Readonly<Record<string, unknown>> | undefined,
  contexts: Contexts,
): Record<string, string> {
  const entries = Object.entries(values ?? {}).map(([key, value]) => [
    key,
    interpolate(String(value), contexts),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
