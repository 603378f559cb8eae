import { writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { execaSync } from 'execa';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../src/platform/files/temporary-folder.ts';

/**
 * Number of lines deleted from and added to a source file between two versions. Comments, types and white space do not
 * count.
 */
export function changedLines(file: string, before: string, after: string): number {
  const folder = makeTemporaryFolder('changed-lines');
  try {
    const [old, now] = [join(folder, 'old'), join(folder, 'now')];
    writeFileSync(old, codeOf(file, before));
    writeFileSync(now, codeOf(file, after));
    const diff = outputOf(['diff', '--no-index', '--no-color', '-w', '-U0', old, now]);
    return diff.split('\n').filter((line) => /^[-+](?!--|\+\+).*\S/.test(line)).length;
  } finally {
    removeTemporaryFolder(folder);
  }
}

/** The text with types and comments replaced by spaces; unchanged if it does not parse. */
function codeOf(file: string, text: string): string {
  try {
    return withoutComments(/\.[cm]?ts$/.test(file) ? withoutTypes(text) : text);
  } catch {
    return text;
  }
}

/** Without the warning that this function of Node is experimental. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function withoutComments(text: string): string {
  const { comments = [] } = parse(text, { sourceType: 'unambiguous', errorRecovery: true, plugins: ['jsx'] });
  let result = text;
  for (const { start, end } of comments ?? []) {
    result = result.slice(0, start!) + result.slice(start!, end!).replace(/\S/g, ' ') + result.slice(end!);
  }
  return result;
}

/** Standard output of `git diff --no-index`, which exits with 1 if the files differ. */
function outputOf(args: readonly string[]): string {
  return execaSync('git', args, { reject: false }).stdout;
}
