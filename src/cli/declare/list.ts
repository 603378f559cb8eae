import type { Command } from 'commander';
import { addOutput } from '../options.ts';

/** `ralph list`. */
export function declareList(program: Command): void {
  addOutput(program.command('list').description('List the loops of this repository, newest first.')).action(
    async (options) => (await import('../commands/list.ts')).listCommand(options),
  );
}
