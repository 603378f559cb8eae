import type { Command } from 'commander';

/** `ralph init`. */
export function declareInit(program: Command): void {
  program
    .command('init')
    .summary('write a commented configuration and the ignore lines')
    .description(
      'Ask three questions, then write a commented ralph.config.mjs and the ignore lines. Existing files are not overwritten.',
    )
    .option('-y, --yes', 'ask nothing')
    .action(async (options) => (await import('../commands/init.ts')).initCommand(options));
}
