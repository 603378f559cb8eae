import type { ChalkInstance } from 'chalk';
import { confirmTrust } from '../confirm-trust.ts';
import { evaluateOnce } from '../../compose/evaluate.ts';
import { openProject, type Project } from '../../compose/project.ts';
import { readinessOf, type Readiness } from '../../compose/readiness.ts';
import { greetAgent, GREETING_SECONDS, type Greeting } from '../../compose/greet-agent.ts';
import { describeSandbox } from '../../compose/sandbox.ts';
import { surroundingsOf, type Finding } from '../../compose/surroundings.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printWarning } from '../messages.ts';
import { settingsFromOptions, type OutputOptions } from '../options.ts';
import { createOutput, printResult } from '../output.ts';
import { renderPlan } from '../plan-lines.ts';

export interface DoctorOptions extends OutputOptions {
  readonly quick?: boolean;
  readonly agent?: string;
}

/** Result of one check in the workspace and in the tree itself, each as text. */
interface Comparison {
  readonly check: string;
  readonly workspace: string;
  readonly tree: string;
  readonly same: boolean;
  /** Why a check without counted tests is red in the tree. */
  readonly cause?: string;
}

/**
 * `ralph doctor`: prints the detected setup, and compares the checks in the workspace with those in the tree. Exit 6 if
 * a check cannot run or the results differ, since a verdict from the workspace would then not hold for the tree; exit 5
 * if the actor's model or agent is missing, or the agent of --agent does not answer a greeting.
 */
export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const project = await openProject({
    cwd: process.cwd(),
    flags: settingsFromOptions({ ...options }),
    env: process.env,
    confirm: confirmTrust(),
  });
  const comparisons = options.quick === true ? [] : await compareChecks(project, options);
  const { plan, repository, configFile } = project;
  const readiness = await readinessOf(project, process.env);
  const sandbox = await describeSandbox(project);
  const surroundings = await surroundingsOf(project, process.env);
  const greeting = await greetIfAsked(options, readiness);
  printResult(
    options,
    {
      repository: repository.root,
      config: configFile ?? null,
      readiness,
      sandbox,
      surroundings,
      plan,
      comparisons,
      greeting: greeting ?? null,
    },
    (chalk) => [
      `repository  ${printable(repository.root)}${plan.packageDir === '.' ? '' : `, package ${printable(plan.packageDir)}`}`,
      `packages    ${plan.packageManager.name} (${plan.packageManager.installCommand})`,
      `config      ${configFile ?? 'none; ralph init writes one'}`,
      ...renderReadiness(readiness, chalk),
      ...(greeting === undefined ? [] : renderGreeting(greeting, chalk)),
      ...renderSandbox(sandbox),
      ...surroundings.flatMap((finding) => renderFinding(finding, chalk)),
      ...renderPlan(plan),
      ...comparisons.map((comparison) => renderComparison(comparison, chalk)),
      `next run    ${describeNextRun(project, readiness)}`,
    ],
  );
  if (comparisons.some(({ same, workspace }) => !same || workspace.startsWith('error')))
    process.exitCode = ExitCode.check;
  else if (readiness.problem !== undefined || greeting?.isAnswered === false)
    process.exitCode = ExitCode.actor;
}

/** Starts the agent that --agent names, except with --quick: an answer may cost money. */
async function greetIfAsked(
  { agent, quick = false }: DoctorOptions,
  { problem }: Readiness,
): Promise<Greeting | undefined> {
  if (agent === undefined || quick || problem !== undefined) return undefined;
  printWarning(`asks ${agent} for a greeting and waits for at most ${GREETING_SECONDS} s`);
  const interruption = listenForInterrupts(() => undefined, 1);
  try {
    return await greetAgent(agent, interruption.signal);
  } finally {
    interruption.close();
  }
}

function renderGreeting({ isAnswered, text, hint, warnings }: Greeting, chalk: ChalkInstance): string[] {
  const [first = '', ...more] = text.trim().split('\n').slice(0, MAX_LINES).map(printable);
  const indented = [...more, ...(hint?.split('\n').map(printable) ?? []), ...warnings.map(printable)];
  return [
    isAnswered ? `hello       the agent answered: ${first}` : `${chalk.red('missing')}     ${first}`,
    ...indented.map((line) => `            ${line}`),
  ];
}

/** Lines of an agent's answer that are shown. */
const MAX_LINES = 12;

function renderReadiness(readiness: Readiness, chalk: ChalkInstance): string[] {
  const { hint, problem, reflector } = readiness;
  return [
    `actor       ${describeActor(readiness)}; reflections by ${reflector === 'llm' ? 'a model' : 'rules'}`,
    ...(problem === undefined ? [] : [`${chalk.red('missing')}     ${printable(problem)}`]),
    ...(hint === undefined ? [] : hint.split('\n').map((line) => `            ${printable(line)}`)),
  ];
}

/** Warnings of the sandbox include their remedy, except for a missing engine. */
function renderSandbox(sandbox: string): string[] {
  const isMissing = /without a sandbox/.test(sandbox);
  return [
    `sandbox     ${printable(sandbox)}`,
    ...(isMissing ? ['            apt-get install bubblewrap   or: --sandbox off'] : []),
  ];
}

function renderFinding({ name, status, text, remedy }: Finding, chalk: ChalkInstance): string[] {
  const label = name.padEnd(11);
  return [
    `${status === 'missing' ? chalk.red(label) : label} ${printable(text)}`,
    ...(remedy === undefined ? [] : [`            ${chalk.dim(printable(remedy))}`]),
  ];
}

function describeActor({ actor, asks }: Readiness): string {
  return asks === undefined ? actor : `${actor} (${printable(asks)})`;
}

function describeNextRun({ settings }: Project, readiness: Readiness): string {
  if (readiness.problem !== undefined) return 'cannot start: see "missing" above';
  const place = settings.isolation === 'worktree' ? 'in a copy of this tree' : 'in this tree itself';
  return `at most ${plural(settings.maxIterations, 'attempt')} by ${describeActor(readiness)} ${place}; a verified result is applied, uncommitted`;
}

/**
 * Compares the checks without set-up: a set-up would write into the user's tree. In the copy the other checks run as well,
 * since their set-up may build what the tree has, and what all checks read.
 */
async function compareChecks(project: Project, options: DoctorOptions): Promise<Comparison[]> {
  const checks = project.plan.checks.filter(({ setup }) => setup.length === 0);
  if (checks.length === 0) return [];
  const output = await createOutput({ ...options, format: 'jsonl', quiet: true });
  const interruption = listenForInterrupts(output.say, 1);
  try {
    const evaluate = async (
      isolation: 'worktree' | 'in-place',
      checks: readonly CheckPlan[],
    ): Promise<Evaluation> => {
      const plan = { ...project.plan, checks, testCommand: undefined };
      const { evaluation } = await evaluateOnce(
        { ...project, plan, settings: { ...project.settings, isolation } },
        { signal: interruption.signal, emit: () => undefined, fresh: true },
      );
      return evaluation;
    };
    const workspace = await evaluate('worktree', project.plan.checks);
    const tree = await evaluate('in-place', checks);
    if (interruption.signal.aborted)
      throw new RalphError('Stopped.', { code: 'aborted', exitCode: interruption.exitCode() });
    return tree.checks.flatMap((check) => {
      const copied = workspace.checks.find(({ name }) => name === check.name);
      if (copied === undefined) return [];
      const [inWorkspace, inTree] = [describeCheck(copied), describeCheck(check)];
      return {
        check: check.name,
        workspace: inWorkspace,
        tree: inTree,
        same: inWorkspace === inTree,
        ...(check.status === 'fail' && check.total === 0 && { cause: check.detail }),
      };
    });
  } finally {
    interruption.close();
    output.close();
  }
}

function describeCheck({ status, passed, total, errors, detail }: Evaluation['checks'][number]): string {
  if (status === 'error') return `error: ${detail}`;
  return total > 0 ? `${status}, ${passed} of ${total} passed` : `${status}, ${plural(errors, 'error')}`;
}

function renderComparison({ check, workspace, tree, same, cause }: Comparison, chalk: ChalkInstance): string {
  const why = cause === undefined ? '' : `: ${printable(cause)}`;
  return same
    ? `${chalk.green('same')}      ${check}: ${printable(workspace)}, in workspace and tree${why}`
    : `${chalk.red('differs')}   ${check}: ${printable(workspace)} in the workspace, ${printable(tree)} in the tree`;
}
