import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { execaSync } from 'execa';

/** Lines that go and lines that come between two versions of a source file; comments, types and blanks count nothing. */
export function changedLines(file: string, before: string, after: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'changed-lines-'));
  try {
    const [old, now] = [join(folder, 'old'), join(folder, 'now')];
    writeFileSync(old, runningText(file, before));
    writeFileSync(now, runningText(file, after));
    const diff = outputOf(['diff', '--no-index', '--no-color', '-w', '-U0', old, now]);
    return diff.split('\n').filter((line) => /^[-+](?!--|\+\+).*\S/.test(line)).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text with types and comments blanked; as it is where it cannot be read. */
function runningText(file: string, text: string): string {
  try {
    return withoutComments(/\.[cm]?ts$/.test(file) ? stripTypeScriptTypes(text) : text);
  } catch {
    return text;
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
