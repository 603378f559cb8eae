import type { Command } from 'commander';
import { MODEL_FLAGS } from './model-flags.ts';
import { addOutput, addSettings } from './options.ts';

const lazy = () => import('./commands/insights.ts');

/** `ralph insights list|reflect`. */
export function addInsightsCommand(program: Command): void {
  const insights = program
    .command('insights')
    .description('What several attempts show together: list, reflect.');
  addOutput(
    insights
      .command('list')
      .description('Active insights, the most important first.')
      .option('--all', 'archived ones too'),
  ).action(async (options) => (await lazy()).listInsights(options));
  addOutput(
    addSettings(
      insights
        .command('reflect')
        .description('Synthesise insights from recent attempts now; by rules where no model is set.'),
      MODEL_FLAGS,
    ),
  ).action(async (options) => (await lazy()).reflectCommand(options));
}
