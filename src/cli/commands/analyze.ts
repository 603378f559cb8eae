import { renderAnalysis } from '../../memory/analysis/render.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { readAnalysis } from '../../report/data/read-analysis.ts';
import type { Analysis } from '../../schema/generated.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

/** Columns if the output is not a terminal. */
const DEFAULT_WIDTH = 80;

/** `ralph analyze [loop-id]`. */
export async function analyzeCommand(id: string | undefined, options: OutputOptions): Promise<void> {
  printAnalysis(await readAnalysis(findRepositoryRoot(process.cwd()), id), options);
}

/** Prints an analysis in the width of the terminal. */
export function printAnalysis(analysis: Analysis, options: OutputOptions): void {
  printResult(options, analysis, (chalk) =>
    renderAnalysis(analysis, {
      width: process.stdout.columns || DEFAULT_WIDTH,
      style: chalk.level > 0 ? 'blocks' : 'plain',
      strong: chalk.bold,
    }),
  );
}
