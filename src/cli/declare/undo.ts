import type { Command } from 'commander';

/** `ralph undo [loop-id]`. */
export function declareUndo(program: Command): void {
  program
    .command('undo [loop-id]')
    .description('Revert the applied result of a loop.')
    .action(async (id: string | undefined) => (await import('../commands/undo.ts')).undoCommand(id));
}
