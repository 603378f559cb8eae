import type { Command } from 'commander';
import { addOutput } from '../options.ts';

/** `ralph status [loop-id]`. */
export function declareStatus(program: Command): void {
  addOutput(
    program
      .command('status [loop-id]')
      .description('Show status, attempts and reward of a loop; by default the running or newest loop.'),
  ).action(async (id: string | undefined, options) =>
    (await import('../commands/status.ts')).statusCommand(id, options),
  );
}
