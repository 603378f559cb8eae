import type { Command } from 'commander';
import { MODEL_FLAGS } from './model-flags.ts';
import { addOutput, addSettings } from './options.ts';

const lazy = () => import('./commands/memory.ts');

/** `ralph memory stats|health|digest|reset|reindex`. */
export function addMemoryCommand(program: Command): void {
  const memory = program
    .command('memory')
    .description('Long-term memory as a whole: stats, health, digest, reset, reindex.');
  addOutput(memory.command('stats').description('What there is, and how much of it.')).action(
    async (options) => (await lazy()).statsCommand(options),
  );
  addOutput(
    memory
      .command('health')
      .description('What is damaged, worn out or overdue; exit 7 where a file is damaged.'),
  ).action(async (options) => (await lazy()).healthCommand(options));
  addOutput(
    addSettings(
      memory.command('digest').description('Look at the attempts that nothing has looked at yet.'),
      MODEL_FLAGS,
    ),
  ).action(async (options) => (await lazy()).digestCommand(options));
  addOutput(
    memory
      .command('reset')
      .description('Begin anew: everything is archived in history/, and nothing deleted.')
      .option('--yes', 'do it'),
  ).action(async (options) => (await lazy()).resetCommand(options));
  addOutput(memory.command('reindex').description('Build the search index anew from the files.')).action(
    async (options) => (await lazy()).reindexCommand(options),
  );
}
