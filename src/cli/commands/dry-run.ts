import { askedName } from '../../actors.ts';
import type { Project } from '../../compose/project.ts';
import { blankVerdict } from '../../loop/verdict.ts';
import type { CheckPlan, ProjectPlan } from '../../ports.ts';
import { printable } from '../../platform/text/printable.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** `ralph run --dry-run`: what would be done. Nothing is run and nothing is written. */
export function printDryRun({ plan, settings }: Project, task: string, options: OutputOptions): void {
  const verdict = blankVerdict('dry_run', 'Nothing was run; ralph doctor --format json tells the plan.');
  const asked = askedName(settings);
  printResult(options, verdict, (chalk) => [
    `${chalk.bold('task')}      ${printable(task.split('\n')[0]!)}`,
    `${chalk.bold('actor')}     ${settings.actor}${asked === undefined ? '' : ` (${asked})`}, at most ${settings.maxIterations} attempts, in ${settings.isolation === 'worktree' ? 'a copy of this tree' : 'this tree itself'}`,
    ...renderPlan(plan),
    'Nothing was run and nothing was changed.',
  ]);
}

/** The checks of a plan, one block each. */
export function renderPlan(plan: ProjectPlan): string[] {
  return [
    ...plan.checks.flatMap(renderCheck),
    ...(plan.testCommand === undefined
      ? []
      : [`confirm   ${printable(plan.testCommand.command)}, once, before a result is accepted`]),
    ...plan.notes.map((note) => `note      ${printable(note)}`),
  ];
}

/** As the tool is called, less the reporter that ralph adds. */
function commandLineOf({ tool, bin, args }: CheckPlan): string {
  if (tool === 'command') return args.join(' ');
  const program =
    tool === 'node' ? ['node', ...(args.includes('--test') ? [] : ['--test'])] : ['node', bin ?? tool];
  return [...program, ...args].join(' ');
}

function renderCheck(check: CheckPlan): string[] {
  const version = check.version === undefined ? '' : ` ${check.version}`;
  const args = check.args.length === 0 ? '' : `  ${printable(check.args.join(' '))}`;
  return [
    `check     ${check.name}: ${check.tool}${version}${args}  (from ${printable(check.source)}, weight ${check.weight})`,
    `            runs: ${printable(commandLineOf(check))}${check.cwd === '.' || check.cwd === '' ? '' : `  in ${printable(check.cwd)}`}`,
    ...check.setup.map((command) => `            after: ${printable(command)}`),
  ];
}
