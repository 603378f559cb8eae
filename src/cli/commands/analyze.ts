import { renderAnalysis } from '../../memory/analysis/render.ts';
import { readAnalysis } from '../../report/data/read-analysis.ts';
import type { Analysis } from '../../schema/generated.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** Where the output is no terminal. */
const WIDTH = 80;

/** `ralph analyze [loop-id]`. */
export async function analyzeCommand(id: string | undefined, options: OutputOptions): Promise<void> {
  printAnalysis(await readAnalysis(findRepositoryRoot(process.cwd()), id), options);
}

/** Prints an analysis as wide as the terminal is. */
export function printAnalysis(analysis: Analysis, options: OutputOptions): void {
  printResult(options, analysis, (chalk) =>
    renderAnalysis(analysis, {
      width: process.stdout.columns || WIDTH,
      style: chalk.level > 0 ? 'blocks' : 'plain',
      strong: chalk.bold,
    }),
  );
}
