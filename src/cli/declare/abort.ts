import type { Command } from 'commander';

/** `ralph abort [loop-id]`. */
export function declareAbort(program: Command): void {
  program
    .command('abort [loop-id]')
    .description('Stop the running loop; its finished steps are kept, so that it can be resumed.')
    .action(async (id: string | undefined) => (await import('../commands/abort.ts')).abortCommand(id));
}
