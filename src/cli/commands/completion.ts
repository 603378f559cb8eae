import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { packageFile } from '../../platform/package-files.ts';
import { printable } from '../../platform/text/printable.ts';
import { complete } from './completion-candidates.ts';
import { createCompletionValues } from './completion-values.ts';

const FOLDER = packageFile('docs', 'completions');

/** `ralph completion SHELL`: prints the script for that shell, which calls `ralph complete` for all candidates. */
export function completionCommand(shell: string): void {
  process.stdout.write(readFileSync(join(FOLDER, `ralph.${shell}`), 'utf8'));
}

/** `ralph complete -- WORDS`: a line for each candidate, value and description separated by a tab; `:files` if files fit too. */
export async function completeCommand(program: Command, words: readonly string[]): Promise<void> {
  const { candidates, files } = await complete(program, words, createCompletionValues(process.cwd()));
  const lines = candidates.map(
    ({ value, description }) => `${withoutBreaks(value)}\t${withoutBreaks(description)}`,
  );
  for (const line of [...lines, ...(files ? [':files'] : [])]) process.stdout.write(`${line}\n`);
}

function withoutBreaks(text: string): string {
  return printable(text.replace(/\s+/g, ' '));
}
