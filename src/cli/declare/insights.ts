import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { MODEL_KEYS } from './setting-keys.ts';

const load = () => import('../commands/insights.ts');

/** `ralph insights list|reflect`. */
export function declareInsights(program: Command): void {
  const insights = program
    .command('insights')
    .description('Insights that are drawn from several attempts: list, reflect.');
  addOutput(
    insights
      .command('list')
      .description('List the active insights, the most important first.')
      .option('--all', 'include archived insights'),
  ).action(async (options) => (await load()).listInsights(options));
  addOutput(
    addSettings(
      insights
        .command('reflect')
        .description('Draw insights from recent attempts now, with a model if one is set, else by rules.'),
      MODEL_KEYS,
    ),
  ).action(async (options) => (await load()).reflectCommand(options));
}
