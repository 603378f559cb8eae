import { extname } from 'node:path';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { ShownFile } from '../../prompts/attempt.ts';
import type { Diagnostic } from '../../schema/generated.ts';
import { reachedSources } from '../../repair/syntax/imports.ts';
import { likelySources } from '../../repair/localise/likely-sources.ts';
import { isEditableSource } from '../../repair/syntax/source-files.ts';
import { excerptAround } from './excerpt.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

const MAX_FILES = 20;
const MIN_CHARS = 1000;
/** The maximum number of failing test files, and of other files, whose imports are followed. */
const MAX_FOLLOWED = 4;
const MAX_REACHED = 8;
const CODE = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte']);

/** Limits of the shown text, in characters. */
export interface FileLimits {
  readonly maxChars: number;
  readonly maxFileChars: number;
}

/**
 * The files of the workspace that matter most for an attempt, in this order: sources in the stacks of failures, failing tests, the
 * sources that these most likely test, files named in the task, imports of both, then the other files of failures. At
 * most `maxChars` characters; of a long file, the lines around the failures.
 */
export async function relevantFiles(
  context: AttemptContext,
  listing: readonly string[],
  files: WorkspaceFiles,
  { maxChars, maxFileChars }: FileLimits,
): Promise<ShownFile[]> {
  const failures = context.evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  const lines = failingLines(failures);
  const shown: ShownFile[] = [];
  let charsLeft = maxChars;
  for (const path of await pathsInOrder(context, failures, listing)) {
    if (shown.length >= MAX_FILES || charsLeft < MIN_CHARS) break;
    const text = files.readText(path);
    if (text === undefined) continue;
    const file = excerptAround(text, lines.get(path) ?? [], Math.min(maxFileChars, charsLeft));
    charsLeft -= file.text.length;
    shown.push({ path, ...file });
  }
  return shown;
}

async function pathsInOrder(
  { root, task }: AttemptContext,
  failures: readonly Diagnostic[],
  listing: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = failures.flatMap(placesOf).map(({ file }) => file);
  const sources = named.filter(isEditableSource);
  const tests = [...new Set(named.filter((file) => !isEditableSource(file) && CODE.has(extname(file))))];
  const followed = tests.slice(0, MAX_FOLLOWED);
  const tested = await Promise.all(followed.map((test) => likelySources(root, test, { limit: MAX_REACHED })));
  const inTask = namedByTask(task, listing);
  const imported = [...inTask, ...new Set(sources)]
    .slice(0, MAX_FOLLOWED)
    .flatMap((file) => reachedSources(root, file).slice(0, MAX_REACHED))
    .sort((a, b) => a.depth - b.depth)
    .map(({ file }) => file);
  return new Set([...sources, ...followed, ...interleave(tested), ...inTask, ...imported, ...named]);
}

/** The first of each list, then the second of each, and so on. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function failingLines(failures: readonly Diagnostic[]): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  for (const { file, line } of failures.flatMap(placesOf)) {
    if (line !== undefined) lines.set(file, [...(lines.get(file) ?? []), line]);
  }
  return lines;
}

function placesOf({ file, line, frames = [] }: Diagnostic): { file: string; line: number | undefined }[] {
  return [...frames, ...(file === undefined ? [] : [{ file, line }])];
}

function namedByTask(task: string, listing: readonly string[]): string[] {
  const words = new Set((task.match(/[\w@./-]+/g) ?? []).map((word) => word.replace(/^\.\/|\.+$/g, '')));
  return listing.filter((path) => words.has(path) || words.has(path.split('/').at(-1)!));
}
