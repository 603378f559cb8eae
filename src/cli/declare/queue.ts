import { Option, type Command } from 'commander';
import { addOutput, collectItems } from '../options.ts';

const load = () => import('../commands/queue.ts');
const loadLimits = () => import('../commands/queue-limits.ts');

/** `ralph queue list|show|logs|cancel|retry|pause|resume|limit|budget|stats`. */
export function declareQueue(program: Command): void {
  const queue = program
    .command('queue')
    .summary('list and steer the jobs of the fleet')
    .description(
      'List and steer the jobs of the fleet: list, show, logs, cancel, retry, pause, resume, limit, budget, stats.',
    );
  addOutput(
    queue
      .command('list')
      .description('List jobs, the newest first.')
      .option('--state <list>', 'only these states: queued, waiting, running, verified, …', collectItems)
      .option('--repository <name>', 'only this repository')
      .option('--limit <n>', 'number of jobs (default: 50)'),
  ).action(async (options) => (await load()).listCommand(options));
  addOutput(
    queue
      .command('show <job>')
      .description('Show a job: id, start of an id, key or loop id.')
      .option('--bundle <file>', 'write the git bundle with its result to a file'),
  ).action(async (job: string, options) => (await load()).showCommand(job, options));
  addOutput(
    queue
      .command('logs <job>')
      .description('Print the events of a job.')
      .option('-f, --follow', 'go on until the job ends'),
  ).action(async (job: string, options) => (await load()).logsCommand(job, options));
  addOutput(queue.command('cancel <jobs...>').description('Cancel jobs; a running loop ends.')).action(
    async (jobs: string[], options) => (await load()).cancelCommand(jobs, options),
  );
  addOutput(
    queue
      .command('retry <jobs...>')
      .description('Queue jobs again: dead and cancelled ones continue, others begin anew.'),
  ).action(async (jobs: string[], options) => (await load()).retryCommand(jobs, options));
  addTarget(queue.command('pause').description('Take no further jobs; running loops go on.')).action(
    async (options) => (await loadLimits()).pauseCommand(options),
  );
  addTarget(queue.command('resume').description('End a pause.')).action(async (options) =>
    (await loadLimits()).resumeCommand(options),
  );
  addOutput(
    queue
      .command('limit [kind] [name] [most]')
      .description(
        'Show the limits, or set one: repository, organisation or model, a name or *, and a number or none.',
      ),
  ).action(async (kind, name, most, options) =>
    (await loadLimits()).limitCommand({ kind, name, most }, options),
  );
  addOutput(
    queue
      .command('budget [kind] [name]')
      .description('Show the budget pools, or set one: all, organisation or model, and its name.')
      .option('--max-cost <usd>', 'US dollars for all jobs of the pool together, or none')
      .option('--max-tokens <n>', 'tokens for all jobs of the pool together, or none'),
  ).action(async (kind, name, options) => (await loadLimits()).budgetCommand({ kind, name }, options));
  addOutput(
    queue.command('stats').description('Count jobs by state, and show limits, pauses and budgets.'),
  ).action(async (options) => (await loadLimits()).statsCommand(options));
}

function addTarget(command: Command): Command {
  return addOutput(
    command
      .addOption(new Option('--repository <name>', 'of this repository only').conflicts('organisation'))
      .option('--organisation <name>', 'of this organisation only'),
  );
}
