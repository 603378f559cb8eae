import type { Command } from 'commander';
import { addOutput } from './options.ts';

const EXAMPLES = `
Examples:
  ralph report                              the newest loop, as text
  ralph report --html report.html           as a page that stands for itself
  ralph report --markdown >> "$GITHUB_STEP_SUMMARY"
  ralph report --all --html loops.html      every loop of this repository`;

/** `ralph report [loop-id]`. */
export function addReportCommand(program: Command): void {
  addOutput(
    program
      .command('report [loop-id]')
      .summary('what a loop did and why its verdict holds, as a page, Markdown or JUnit')
      .description(
        'Verdict, receipt, attempts, failures, reflections, memory and cost of a loop; the newest by default.',
      )
      .option('--all', 'every loop of this repository instead of one')
      .option('--html <file>', "a page that loads nothing; '-' is standard output")
      .option('--markdown [file]', 'for a pull request or a job summary; without a file, standard output')
      .option('--junit <file>', "the verdict and what still fails as JUnit XML; '-' is standard output"),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, options) =>
      (await import('./commands/report.ts')).reportCommand(id, options),
    );
}
