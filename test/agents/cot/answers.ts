/** Helpers for answers of models and the files in them. */
import type { WorkspaceFiles } from '../../../src/agents/shown-files/workspace-files.ts';
import { parseAnswer, type Answer } from '../../../src/agents/cot/edit-blocks.ts';

/** Files by path; paths are only freed from `./`. */
export function filesOf(texts: Readonly<Record<string, string>>): WorkspaceFiles {
  return {
    resolvePath: (written) => (written.startsWith('./') ? written.slice(2) : written),
    readText: (path) => texts[path],
  };
}

export function parse(answer: string, texts: Readonly<Record<string, string>> = {}): Answer {
  return parseAnswer(answer, filesOf(texts));
}

/** An edit block with markers of `size` characters. */
export function block(oldText: string, newText: string, size = 7): string {
  const line = (text: string): string => (text === '' ? '' : `${text}\n`);
  return `${'<'.repeat(size)} SEARCH\n${line(oldText)}${'='.repeat(size)}\n${line(newText)}${'>'.repeat(size)} REPLACE`;
}
