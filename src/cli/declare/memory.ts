import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { MODEL_KEYS } from './setting-keys.ts';

const load = () => import('../commands/memory.ts');

/** `ralph memory stats|health|digest|reset|reindex`. */
export function declareMemory(program: Command): void {
  const memory = program
    .command('memory')
    .description('Maintain long-term memory: stats, health, digest, reset, reindex.');
  addOutput(
    memory.command('stats').description('Count lessons, attempts, insights and playbook versions.'),
  ).action(async (options) => (await load()).statsCommand(options));
  addOutput(
    memory
      .command('health')
      .description('List damaged files, stale lessons and overdue passes; exit 7 if a file is damaged.'),
  ).action(async (options) => (await load()).healthCommand(options));
  addOutput(
    addSettings(
      memory.command('digest').description('Learn from the attempts that have not been digested yet.'),
      MODEL_KEYS,
    ),
  ).action(async (options) => (await load()).digestCommand(options));
  addOutput(
    memory
      .command('reset')
      .description('Archive all of long-term memory in history/ and start empty. Nothing is deleted.')
      .option('--yes', 'confirm the reset'),
  ).action(async (options) => (await load()).resetCommand(options));
  addOutput(memory.command('reindex').description('Rebuild the search index from the files.')).action(
    async (options) => (await load()).reindexCommand(options),
  );
}
