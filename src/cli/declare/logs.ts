import type { Command } from 'commander';
import { addOutput } from '../options.ts';

/** `ralph logs [loop-id]`. */
export function declareLogs(program: Command): void {
  addOutput(
    program
      .command('logs [loop-id]')
      .description('List the steps of a loop and the actions of each attempt.'),
  ).action(async (id: string | undefined, options) =>
    (await import('../commands/logs.ts')).logsCommand(id, options),
  );
}
