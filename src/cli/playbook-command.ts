import type { Command } from 'commander';
import { MODEL_FLAGS } from './model-flags.ts';
import { addOutput, addSettings } from './options.ts';

const lazy = () => import('./commands/playbook.ts');

/** `ralph playbook show|consolidate|history|rollback`. */
export function addPlaybookCommand(program: Command): void {
  const playbook = program
    .command('playbook')
    .description('What this repository taught, in one text: show, consolidate, history, rollback.');
  addOutput(
    playbook
      .command('show [version]')
      .description('The playbook as an actor reads it, or an earlier version of it.'),
  ).action(async (version: string | undefined, options) => (await lazy()).showPlaybook(version, options));
  addOutput(
    addSettings(
      playbook
        .command('consolidate')
        .description('Rewrite it from what was learned; by rules where no model is set.')
        .option('--if-due', 'only where enough has happened since the last time'),
      MODEL_FLAGS,
    ),
  ).action(async (options) => (await lazy()).consolidateCommand(options));
  addOutput(playbook.command('history').description('Every version, newest first.')).action(async (options) =>
    (await lazy()).playbookHistory(options),
  );
  addOutput(
    playbook
      .command('rollback [version]')
      .description('Take an earlier version back, as a new one; without a number, the one before.'),
  ).action(async (version: string | undefined, options) => (await lazy()).rollbackCommand(version, options));
}
