import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { MODEL_KEYS } from './setting-keys.ts';

const load = () => import('../commands/playbook.ts');

/** `ralph playbook show|consolidate|history|rollback`. */
export function declarePlaybook(program: Command): void {
  const playbook = program
    .command('playbook')
    .description(
      'A summary of what was learned about this repository: show, consolidate, history, rollback.',
    );
  addOutput(
    playbook
      .command('show [version]')
      .description('Print the playbook as the actor receives it, or an earlier version.'),
  ).action(async (version: string | undefined, options) => (await load()).showPlaybook(version, options));
  addOutput(
    addSettings(
      playbook
        .command('consolidate')
        .description(
          'Rewrite the playbook from lessons and insights, with a model if one is set, else by rules.',
        )
        .option('--if-due', 'only if enough attempts were made since the last time'),
      MODEL_KEYS,
    ),
  ).action(async (options) => (await load()).consolidateCommand(options));
  addOutput(playbook.command('history').description('List all versions, newest first.')).action(
    async (options) => (await load()).playbookHistory(options),
  );
  addOutput(
    playbook
      .command('rollback [version]')
      .description('Restore an earlier version as a new one; by default the version before the current one.'),
  ).action(async (version: string | undefined, options) => (await load()).rollbackCommand(version, options));
}
