import type { Command } from 'commander';

/** `ralph apply [loop-id]`. */
export function declareApply(program: Command): void {
  program
    .command('apply [loop-id]')
    .description('Apply the best attempt of a loop to this tree, verified or not.')
    .option('--commit', 'commit it on the current branch')
    .option('--branch', 'leave it on the branch ralph/<loop-id>')
    .action(async (id: string | undefined, options) =>
      (await import('../commands/apply.ts')).applyCommand(id, options),
    );
}
