import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { MODEL_KEYS } from './setting-keys.ts';

const load = () => import('../commands/memory.ts');
const loadExchange = () => import('../commands/memory-exchange.ts');

/** `ralph memory stats|health|digest|reset|reindex|push|pull|erase`. */
export function declareMemory(program: Command): void {
  const memory = program
    .command('memory')
    .description(
      'Maintain long-term memory: stats, health, digest, reset, reindex; exchange it with a fleet: push, pull, erase.',
    );
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
  addOutput(
    addExchange(
      memory
        .command('push')
        .description(
          "Add what this repository's files have learned to the memory of the fleet (DATABASE_URL).",
        ),
    ),
  ).action(async (options) => (await loadExchange()).pushCommand(options));
  addOutput(
    addExchange(
      memory
        .command('pull')
        .description(
          "Add the fleet's memory of this repository to its files, and patterns of edits that worked in other repositories.",
        ),
    ),
  ).action(async (options) => (await loadExchange()).pullCommand(options));
  addOutput(
    memory
      .command('erase')
      .description(
        'Delete all that the database of the fleet has of a repository: memory, ended jobs, events.',
      )
      .option('--repository <name>', 'repository, such as github.com/octo/shop')
      .option('--yes', 'confirm the erasure'),
  ).action(async (options) => (await loadExchange()).eraseCommand(options));
}

function addExchange(command: Command): Command {
  return command
    .option(
      '--repository <url>',
      'repository of the fleet (default: this folder, or its origin if your role has that organisation)',
    )
    .option('--reflections <n>', 'exchange at most so many reflections, the newest (default: 10000)');
}
