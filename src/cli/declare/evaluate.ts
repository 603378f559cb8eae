import type { Command } from 'commander';
import { addOutput, addSettings } from '../options.ts';
import { CHECK_KEYS, SANDBOX_KEYS } from './setting-keys.ts';

/** `ralph evaluate`. */
export function declareEvaluate(program: Command): void {
  const evaluate = program.command('evaluate').description('Run the checks once and print the reward.');
  addSettings(evaluate, [...CHECK_KEYS, 'isolation', ...SANDBOX_KEYS]);
  evaluate.option('--fresh', 'run everything again without caches, and the test command of the repository');
  addOutput(evaluate).action(async (options) =>
    (await import('../commands/evaluate.ts')).evaluateCommand(options),
  );
}
