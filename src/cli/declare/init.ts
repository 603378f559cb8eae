import { Option, type Command } from 'commander';

/** `ralph init`. */
export function declareInit(program: Command): void {
  program
    .command('init')
    .summary('write a commented configuration and the ignore lines')
    .description(
      'Ask three questions, then write a commented ralph.config.mjs and the ignore lines. Existing files are not overwritten.',
    )
    .option('-y, --yes', 'ask nothing')
    .addOption(
      new Option(
        '--hooks <agents...>',
        'only write the hooks of ralph gate into the settings of these agents',
      ).choices(['claude', 'codex', 'gemini', 'opencode', 'git']),
    )
    .option('--all-green', 'with --hooks: what is red at the start of a session must be green at its end')
    .option('--remove', 'with --hooks: remove the hooks again')
    .action(async (options) =>
      options.hooks === undefined
        ? (await import('../commands/init.ts')).initCommand(options)
        : (await import('../commands/init-hooks.ts')).initHooksCommand(options),
    );
}
