import type { ChalkInstance } from 'chalk';
import { evaluateOnce } from '../../compose/evaluate.ts';
import { openProject, type Project } from '../../compose/project.ts';
import { readinessOf, type Readiness } from '../../compose/readiness.ts';
import { describeSandbox } from '../../compose/sandbox.ts';
import { surroundingsOf, type Finding } from '../../compose/surroundings.ts';
import { ExitCode } from '../../errors.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { printable } from '../../platform/text/printable.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { configOf, type OutputOptions } from '../options.ts';
import { createOutput, printResult } from '../output.ts';
import { renderPlan } from './dry-run.ts';

export interface DoctorOptions extends OutputOptions {
  readonly quick?: boolean;
}

/** A check in the workspace and in the tree itself. */
interface Comparison {
  readonly check: string;
  readonly workspace: string;
  readonly tree: string;
  readonly same: boolean;
}

/**
 * `ralph doctor`: what was detected, and whether the checks say the same in the workspace as in the tree. Exit
 * 6 where a check cannot run or the two differ: a verdict from the workspace would then not hold for the tree;
 * 5 where the actor's model or agent is missing.
 */
export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const project = await openProject({
    cwd: process.cwd(),
    flags: configOf({ ...options }),
    env: process.env,
  });
  const comparisons = options.quick === true ? [] : await compare(project, options);
  const { plan, repository, configFile } = project;
  const readiness = await readinessOf(project, process.env);
  const sandbox = await describeSandbox(project);
  const surroundings = await surroundingsOf(project, process.env);
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
    },
    (chalk) => [
      `repository  ${printable(repository.root)}${plan.packageDir === '.' ? '' : `, package ${printable(plan.packageDir)}`}`,
      `packages    ${plan.packageManager.name} (${plan.packageManager.installCommand})`,
      `config      ${configFile ?? 'none; ralph init writes one'}`,
      ...renderReadiness(readiness, chalk),
      ...renderSandbox(sandbox),
      ...surroundings.flatMap((finding) => renderFinding(finding, chalk)),
      ...renderPlan(plan),
      ...comparisons.map((comparison) => renderComparison(comparison, chalk)),
      `would       ${whatWouldHappen(project, readiness)}`,
    ],
  );
  if (comparisons.some(({ same, workspace }) => !same || workspace.startsWith('error')))
    process.exitCode = ExitCode.check;
  else if (readiness.problem !== undefined) process.exitCode = ExitCode.actor;
}

function renderReadiness(
  { actor, asks, hint, problem, reflector }: Readiness,
  chalk: ChalkInstance,
): string[] {
  const who = `${actor}${asks === undefined ? '' : `: ${printable(asks)}`}`;
  return [
    `actor       ${who}; reflections by ${reflector === 'llm' ? 'a model' : 'rules'}`,
    ...(problem === undefined ? [] : [`${chalk.red('missing')}     ${printable(problem)}`]),
    ...(hint === undefined ? [] : hint.split('\n').map((line) => `            ${printable(line)}`)),
  ];
}

/** A warning has its remedy in it; the engine's absence is told with the command that ends it. */
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

/** What `ralph run` comes to here. */
function whatWouldHappen({ settings }: Project, { problem, actor, asks }: Readiness): string {
  if (problem !== undefined) return 'ralph run cannot start before what is missing is there';
  const where = settings.isolation === 'worktree' ? 'in a copy of this tree' : 'in this tree itself';
  const who = asks === undefined ? actor : `${actor} (${printable(asks)})`;
  return `ralph run lets ${who} try ${settings.maxIterations} times ${where}, and applies what is verified, uncommitted`;
}

async function compare(project: Project, options: DoctorOptions): Promise<Comparison[]> {
  const output = await createOutput({ ...options, format: 'jsonl', quiet: true });
  const interruption = listenForInterrupts(output.say, 1);
  try {
    const evaluate = (isolation: 'worktree' | 'in-place'): Promise<Evaluation> =>
      evaluateOnce(inIsolation(project, isolation), { signal: interruption.signal, emit: () => undefined });
    const workspace = await evaluate('worktree');
    const tree = await evaluate('in-place');
    return workspace.checks.map((check, index) => {
      const [inWorkspace, inTree] = [describe(check), describe(tree.checks[index]!)];
      return { check: check.name, workspace: inWorkspace, tree: inTree, same: inWorkspace === inTree };
    });
  } finally {
    interruption.close();
    output.close();
  }
}

function inIsolation(project: Project, isolation: 'worktree' | 'in-place'): Project {
  return { ...project, settings: { ...project.settings, isolation } };
}

function describe({ status, passed, total, errors, detail }: Evaluation['checks'][number]): string {
  if (status === 'error') return `error: ${detail}`;
  return total > 0 ? `${status}, ${passed} of ${total} passed` : `${status}, ${errors} errors`;
}

function renderComparison({ check, workspace, tree, same }: Comparison, chalk: ChalkInstance): string {
  return same
    ? `${chalk.green('same')}      ${check}: ${printable(workspace)}, in the workspace as in the tree`
    : `${chalk.red('differs')}   ${check}: ${printable(workspace)} in the workspace, ${printable(tree)} in the tree`;
}
