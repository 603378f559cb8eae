import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';

/** `ralph config show`. */
export function declareConfig(program: Command): void {
  const config = program.command('config').description('Show the resolved configuration.');
  const show = config.command('show').description('Print every setting with its value.');
  addOutput(addSettings(show)).action(async (options) =>
    (await import('../commands/config.ts')).configShowCommand(options),
  );
}
