import { Option, type Command } from 'commander';
import { usageError } from '../../errors.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { renderExamples } from '../help.ts';
import { addOutput, addSettings } from '../options.ts';

const EXAMPLES = renderExamples([
  ['ralph run', 'repair every failing check, offline'],
  ['ralph run "keep the cart sorted" --model openai/gpt-5 --max-cost 2', ''],
  ['ralph run --check tests="pytest --junitxml {report}"', 'a check of another language'],
  ['ralph run --tasks prd.json --parallel 2', 'user stories, two at a time'],
  ['ralph run --format json | jq .verified', 'for scripts'],
]);

/** `ralph run [task...]`; the default command. */
export function declareRun(program: Command, argv: readonly string[]): void {
  const run = program
    .command('run [task...]', { isDefault: true })
    .summary('repair this repository until every check passes')
    .description(
      'Attempt a change, run the checks, reflect on the failures and try again until every check passes. Without a task, repair all failing checks.',
    )
    .optionsGroup('Task:')
    .option('-p, --prompt <text>', 'the task, as an option')
    .option('-P, --prompt-file <file>', "read the task from a file; '-' is standard input")
    .option('--issue <ref>', 'read the task from a GitHub issue, such as octo-org/shop#42')
    .option('--tasks <file>', 'run a loop for each open task of a Markdown checklist or a prd.json')
    .option('--parallel <n>', 'with --tasks: number of loops at the same time (default: 1)')
    .option('--review', 'open the acceptance tests in $VISUAL or $EDITOR before the first attempt')
    .optionsGroup('Result:')
    .option('--commit', 'commit a verified result on the current branch')
    .option('--branch', 'leave a verified result on the branch ralph/<loop-id>')
    .option('--create-pr', 'open a pull request on GitHub with a verified result')
    .option('--dry-run', 'show the task, the actor and the checks; run nothing');
  addSettings(run);
  run.addOption(new Option('--require-change', 'older name of --apply-unproven').hideHelp());
  run.addOption(new Option('--self-tests', 'replaced by acceptance tests').hideHelp());
  addOutput(run)
    .addHelpText('after', `\n${EXAMPLES}`)
    .action(async (words: string[], options) => {
      refuseMistypedCommand(program, words, argv);
      await (await import('../commands/run.ts')).runCommand(words, options);
    });
}

/**
 * `ralph evalute` and `ralph cleanup` are commands that do not exist, not tasks: a single ASCII word, not after `run`.
 * Other scripts write whole sentences without a space.
 */
function refuseMistypedCommand(program: Command, words: readonly string[], argv: readonly string[]): void {
  const [word] = words;
  if (argv[0] === 'run' || words.length !== 1 || word === undefined || !/^[!-~]+$/.test(word)) return;
  const near = nearest(
    word,
    program.commands.map((command) => command.name()),
  );
  throw usageError(
    `ralph has no command "${word}".`,
    `${near === undefined ? 'For all commands: ralph --help.' : `Did you mean "ralph ${near}"?`} To use the word as a task: ralph run "${word}"`,
  );
}
