import type { Command } from 'commander';
import { addOutput } from '../options.ts';

/** `ralph analyze [loop-id]`. */
export function declareAnalyze(program: Command): void {
  addOutput(
    program
      .command('analyze [loop-id]')
      .summary('learning curve, failures and effect of memory')
      .description(
        'Show learning curve, breakthroughs, failures, confidence against improvement, and the effect of lessons and memory, for one loop or all.',
      ),
  ).action(async (id: string | undefined, options) =>
    (await import('../commands/analyze.ts')).analyzeCommand(id, options),
  );
}
