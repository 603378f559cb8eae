import type { Command } from 'commander';
import { renderExamples } from '../help.ts';
import { addOutput, addSettings, collectItems } from '../options.ts';
import { BOUNDS_OF_WORKER } from '../../fleet/queue/job-settings.ts';

const EXAMPLES = renderExamples([
  ['ralph worker --concurrency 4', 'take jobs until it is stopped'],
  ['ralph worker --labels node20,gpu --repositories "github.com/octo-org/*"', ''],
  ['ralph worker --drain', 'end when no job is left'],
]);

/** `ralph worker`. */
export function declareWorker(program: Command): void {
  const worker = program
    .command('worker')
    .summary('take jobs of the fleet and run their loops')
    .description(
      'Take jobs from the queue and run their loops in a sandbox. SIGTERM and Ctrl-C drain it: running loops end after their running step and are resumed by another worker.',
    )
    .optionsGroup('Worker:')
    .option('--name <text>', 'name in lists (default: host name and process id)')
    .option('--concurrency <n>', 'loops at the same time (default: 1)')
    .option('--labels <list>', 'labels of this machine; jobs may require them', collectItems)
    .option('--repositories <globs>', 'take jobs of these repositories only', collectItems)
    .option('--once', 'end after one job')
    .option('--drain', 'end when there is no job to take, nor one of a worker that is silent')
    .option('--folder <dir>', "folder for mirrors, dependencies and checkouts (default: in the user's cache)")
    .option(
      '--price <model=in,out>',
      'what a model costs in USD per million tokens of input and output; with a budget in dollars, prices of repositories do not count',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .option(
      '--heartbeat <duration>',
      'jobs submitted from now on go to another worker when theirs is silent for this long (default: 30s)',
    )
    .option(
      '--keep <days>',
      'remove the files, events and bundles of jobs that ended longer ago (default: 30d); their verdicts stay 12 times as long',
    );
  addOutput(addSettings(worker, BOUNDS_OF_WORKER));
  worker.options.find((option) => option.attributeName() === 'sandbox')!.description =
    'confine commands and checks: strict (without an engine the worker does not start), auto (without one only the offline search runs) or off (default: strict)';
  worker
    .addHelpText('after', `\n${EXAMPLES}`)
    .action(async (options) => (await import('../commands/worker.ts')).workerCommand(options));
}
