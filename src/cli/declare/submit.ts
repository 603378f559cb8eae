import { Option, type Command } from 'commander';
import { REFUSED_OF_JOBS } from '../../fleet/queue/job-settings.ts';
import { renderExamples } from '../help.ts';
import { addOutput, addSettings, collectItems } from '../options.ts';

const EXAMPLES = renderExamples([
  ['ralph submit https://github.com/octo-org/shop "keep the cart sorted"', ''],
  ['ralph submit . --ref main --key nightly-2026-11-25', 'repair all failing checks; twice is once'],
  ['ralph submit . --tasks TODO.md --max-cost 2', 'one job for each open task'],
  ['ralph submit --sweep repositories.txt "update the licence header"', 'one job for each repository'],
]);

/** `ralph submit [repository] [task...]`. */
export function declareSubmit(program: Command): void {
  const submit = program
    .command('submit [repository] [task...]')
    .summary('queue loops for the workers of a fleet')
    .description(
      'Put a loop for a repository (URL, or a path that the workers see) into the queue. Workers start from its last commit; changes that are not committed are not part of it. Without a task, they repair all failing checks.',
    )
    .optionsGroup('Job:')
    .option('--ref <name>', 'branch or tag to start from (default: the default branch)')
    .option('--as <url>', 'for a path: the repository whose limits, budget and memory the job has')
    .option('-P, --prompt-file <file>', "read the task from a file; '-' is standard input")
    .option(
      '--tasks <file>',
      'a job for each open task of a Markdown checklist or a prd.json on this machine',
    )
    .option('--sweep <file>', 'a job for each repository of a file: on each line a URL or path, and a ref')
    .option('--key <text>', 'a second submit with the same key returns the first job')
    .option('--priority <n>', 'jobs with a higher number are taken first (default: 0)')
    .option('--labels <list>', 'labels that a worker must have, such as node20,gpu', collectItems)
    .addOption(
      new Option('--deliver <how>', 'where a verified result goes')
        .choices(['branch', 'pull-request', 'bundle'])
        .default('branch'),
    );
  addOutput(addSettings(submit));
  // Known, so that they are refused with the command that has them.
  const refused: readonly string[] = REFUSED_OF_JOBS;
  for (const option of submit.options) if (refused.includes(option.attributeName())) option.hideHelp();
  submit
    .addHelpText('after', `\n${EXAMPLES}`)
    .action(async (repository: string | undefined, words: string[], options) =>
      (await import('../commands/submit.ts')).submitCommand(repository, words, options),
    );
}
