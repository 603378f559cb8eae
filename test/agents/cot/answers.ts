/** Answers as models write them, and the files that they are about. */
import type { AnsweredFiles } from '../../../src/agents/cot/answered-files.ts';
import { parseAnswer, type Answer } from '../../../src/agents/cot/edit-blocks.ts';

/** Files by path; every path means itself. */
export function filesOf(texts: Readonly<Record<string, string>>): AnsweredFiles {
  return {
    pathOf: (written) => (written.startsWith('./') ? written.slice(2) : written),
    textOf: (path) => texts[path],
  };
}

export function parse(answer: string, texts: Readonly<Record<string, string>> = {}): Answer {
  return parseAnswer(answer, filesOf(texts));
}

/** One block, its markers of `size` signs. */
export function block(oldText: string, newText: string, size = 7): string {
  const line = (text: string): string => (text === '' ? '' : `${text}\n`);
  return `${'<'.repeat(size)} SEARCH\n${line(oldText)}${'='.repeat(size)}\n${line(newText)}${'>'.repeat(size)} REPLACE`;
}
