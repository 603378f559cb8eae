import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'];

/** `ralph completion SHELL`, and what its scripts ask. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .summary('completion for bash, zsh or fish')
    .description(
      'Print the completion script of a shell, to be evaluated in its start file: eval "$(ralph completion bash)".',
    )
    .addArgument(new Argument('<shell>', 'whose script').choices(SHELLS))
    .action(async (shell: string) => (await import('./commands/completion.ts')).completionCommand(shell));
  program
    .command('complete', { hidden: true })
    .description('What may follow the words behind --, for completion scripts.')
    .argument('[words...]')
    .action(async (words: string[]) =>
      (await import('./commands/completion.ts')).completeCommand(program, words),
    );
}
