import type { Command } from 'commander';
import { renderExamples } from '../help.ts';
import { addOutput } from '../options.ts';

const EXAMPLES = renderExamples([
  ['ralph fleet up', 'a PostgreSQL of this machine, and one worker, for trying'],
  ['ralph submit . "keep the cart sorted"', 'queue a loop for this repository'],
  ['ralph fleet down', 'stop both; the data stay'],
]);

const load = () => import('../commands/fleet.ts');
const loadMemory = () => import('../commands/memory-exchange.ts');

/** `ralph fleet up|down|status|grant|revoke`. */
export function declareFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .summary('start, stop or show a fleet on this machine')
    .description(
      'Start a PostgreSQL that is installed on this machine, in a folder of its own, with one worker. Other machines use the database of DATABASE_URL.',
    )
    .addHelpText('after', `\n${EXAMPLES}`);
  addOutput(
    fleet
      .command('up')
      .description('Start the database and one worker, if they do not run.')
      .option('--no-worker', 'start the database only'),
  ).action(async (options) => (await load()).upCommand(options));
  addOutput(fleet.command('down').description('Stop the worker and the database. The data stay.')).action(
    async (options) => (await load()).downCommand(options),
  );
  addOutput(fleet.command('status').description('Show the database, its version, and the workers.')).action(
    async (options) => (await load()).statusCommand(options),
  );
  addOutput(
    fleet
      .command('grant <role> <organisation>')
      .description('Let a role of PostgreSQL use the memory of one organisation, such as github.com/octo.'),
  ).action(async (role: string, organisation: string, options) =>
    (await loadMemory()).grantCommand({ role, organisation }, options),
  );
  addOutput(fleet.command('revoke <role> <organisation>').description('Take that right away again.')).action(
    async (role: string, organisation: string, options) =>
      (await loadMemory()).revokeCommand({ role, organisation }, options),
  );
}
