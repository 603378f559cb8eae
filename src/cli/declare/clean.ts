import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';

/** `ralph clean`. */
export function declareClean(program: Command): void {
  const clean = program
    .command('clean')
    .description(
      'Remove the workspace, its caches, and snapshots that nothing needs. Loops, reflections and memory stay.',
    )
    .option('--dry-run', 'only say what would be freed');
  addOutput(addSettings(clean, ['workspaceDir'])).action(async (options) =>
    (await import('../commands/clean.ts')).cleanCommand(options),
  );
}
