import { askedName } from '../../actors.ts';
import type { Project } from '../../compose/project.ts';
import type { Settings } from '../../config/settings.ts';
import { blankVerdict } from '../../loop/verdict.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { renderPlan } from '../plan-lines.ts';

/** `ralph run --dry-run`: prints task, actor and checks. Runs nothing and writes nothing. */
export function printDryRun({ plan, settings }: Project, task: string, options: OutputOptions): void {
  const verdict = blankVerdict('dry_run', 'Nothing was run; ralph doctor --format json prints the plan.');
  const place = settings.isolation === 'worktree' ? 'a copy of this tree' : 'this tree itself';
  printResult(options, verdict, (chalk) => [
    `${chalk.bold('task')}      ${printable(task.split('\n')[0]!)}`,
    `${chalk.bold('actor')}     ${describeActor(settings)}, at most ${plural(settings.maxIterations, 'attempt')}, in ${place}`,
    ...renderPlan(plan),
    'Nothing was run and nothing was changed.',
  ]);
}

function describeActor(settings: Settings): string {
  const asked = askedName(settings);
  return asked === undefined ? settings.actor : `${settings.actor} (${asked})`;
}
