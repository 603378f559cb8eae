import type { Command } from 'commander';
import { addOutput } from './options.ts';

/** `ralph analyze [loop-id]`. */
export function addAnalyzeCommand(program: Command): void {
  addOutput(
    program
      .command('analyze [loop-id]')
      .summary('what the loops here learned, in figures')
      .description(
        'Learning curve, breakthroughs, failures, confidence against improvement, effect of lessons and of memory.',
      ),
  ).action(async (id: string | undefined, options) =>
    (await import('./commands/analyze.ts')).analyzeCommand(id, options),
  );
}
