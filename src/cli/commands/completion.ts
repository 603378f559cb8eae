import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../../platform/text/printable.ts';
import { complete } from '../complete.ts';
import { createValues } from '../completion-values.ts';
import { packageFile } from '../../platform/package-files.ts';

const FOLDER = packageFile('docs', 'completions');

/** `ralph completion SHELL`: the script for that shell, which asks `ralph complete` for everything. */
export function completionCommand(shell: string): void {
  process.stdout.write(readFileSync(join(FOLDER, `ralph.${shell}`), 'utf8'));
}

/** `ralph complete -- WORDS`: a line for each candidate, its description behind a tab; `:files` where files fit too. */
export async function completeCommand(program: Command, words: readonly string[]): Promise<void> {
  const { candidates, files } = await complete(program, words, createValues(process.cwd()));
  const lines = candidates.map(({ value, description }) => `${oneLine(value)}\t${oneLine(description)}`);
  for (const line of [...lines, ...(files ? [':files'] : [])]) process.stdout.write(`${line}\n`);
}

function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' '));
}
