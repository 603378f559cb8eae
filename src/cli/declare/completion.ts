import { Argument, type Command } from 'commander';

const load = () => import('../commands/completion.ts');

/** Shells with a completion script in `docs/completions`. */
const SHELLS = ['bash', 'zsh', 'fish'];

/** `ralph completion SHELL`, and the hidden `ralph complete` that its scripts call. */
export function declareCompletion(program: Command): void {
  program
    .command('completion')
    .summary('completion script for bash, zsh or fish')
    .description(
      'Print the completion script of a shell. Evaluate it in the start file of the shell: eval "$(ralph completion bash)".',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: string) => (await load()).completionCommand(shell));
  // It has no row in the table of program.ts: it needs every command to complete their names and options.
  program
    .command('complete', { hidden: true })
    .description('Print the words that can follow those after --, for completion scripts.')
    .argument('[words...]')
    .action(async (words: string[]) => (await load()).completeCommand(program, words));
}
