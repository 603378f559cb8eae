import type { Command } from 'commander';
import { renderExamples } from '../help.ts';
import { addOutput } from '../options.ts';

const EXAMPLES = renderExamples([
  ['ralph report', 'the newest loop, as text'],
  ['ralph report --html report.html', 'as one HTML file without external resources'],
  ['ralph report --markdown >> "$GITHUB_STEP_SUMMARY"', ''],
  ['ralph report --all --html loops.html', 'every loop of this repository'],
]);

/** `ralph report [loop-id]`. */
export function declareReport(program: Command): void {
  addOutput(
    program
      .command('report [loop-id]')
      .summary('report a loop as text, HTML, Markdown or JUnit')
      .description(
        'Report verdict, receipt, attempts, failures, reflections, memory and cost of a loop; by default the newest.',
      )
      .option('--all', 'report every loop of this repository')
      .option('--html <file>', "write an HTML page without external resources; '-' is standard output")
      .option(
        '--markdown [file]',
        'write Markdown for a pull request or a job summary; without a file, to standard output',
      )
      .option(
        '--junit <file>',
        "write the verdict and the remaining failures as JUnit XML; '-' is standard output",
      ),
  )
    .addHelpText('after', `\n${EXAMPLES}`)
    .action(async (id: string | undefined, options) =>
      (await import('../commands/report.ts')).reportCommand(id, options),
    );
}
