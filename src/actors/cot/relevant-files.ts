import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import type { AttemptContext } from '../../ports.ts';
import type { ShownFile } from '../../prompts/cot.ts';
import { boundText } from '../../util/bounded-text.ts';

const MAX_FILES = 20;
const MAX_FILE_CHARS = 16_000;
const MAX_CHARS = 60_000;
const MAX_LISTED = 300;
const LEFT_OUT = new Set(['node_modules', '.git', '.aiwg', 'dist', 'build', 'coverage', '.next', '.cache']);
const IMPORT = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '/index.ts', '/index.js'];

/**
 * The files that an answer without tools can be given on: those that the failures name, then what these import, then
 * files that the task names; bounded, and each says what was cut.
 */
export async function relevantFiles(
  context: AttemptContext,
  listing: readonly string[],
): Promise<ShownFile[]> {
  const root = await realpath(context.root);
  const queue = [...namedByFailures(context), ...namedByTask(context.task, listing)];
  const seen = new Set<string>();
  const shown: ShownFile[] = [];
  let chars = 0;
  for (let path = queue.shift(); path !== undefined && shown.length < MAX_FILES; path = queue.shift()) {
    const found = await readInside(root, path);
    if (found === undefined || seen.has(found.path)) continue;
    seen.add(found.path);
    const room = Math.min(MAX_FILE_CHARS, MAX_CHARS - chars);
    if (room < 1000) break;
    const text = boundText(found.text, room);
    chars += text.length;
    const cut = text === found.text ? '' : `${found.text.length - room} characters left out`;
    shown.push({ path: found.path, text, cut });
    queue.push(...importsOf(found));
  }
  return shown;
}

/** Relative paths of the workspace's files, sorted, at most a few hundred; `more` says how many are not listed. */
export async function listFiles(root: string): Promise<{ readonly paths: string[]; readonly more: number }> {
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep))
    .filter((parts) => !parts.some((part) => LEFT_OUT.has(part)))
    .map((parts) => parts.join('/'))
    .sort();
  return { paths: paths.slice(0, MAX_LISTED), more: Math.max(0, paths.length - MAX_LISTED) };
}

function namedByFailures({ evaluation }: AttemptContext): string[] {
  const failing = evaluation.diagnostics.filter(({ severity }) => severity === 'error');
  return failing.flatMap(({ file, frames = [] }) => [
    ...frames.map((frame) => frame.file),
    ...(file === undefined ? [] : [file]),
  ]);
}

function namedByTask(task: string, listing: readonly string[]): string[] {
  const words = new Set(task.match(/[\w./-]+/g) ?? []);
  return listing.filter((path) => words.has(path) || words.has(path.split('/').at(-1)!));
}

function importsOf({ path, text }: { readonly path: string; readonly text: string }): string[] {
  return [...text.matchAll(IMPORT)].map(([, specifier]) => normalize(join(dirname(path), specifier!)));
}

/** The file that a path, or an import without its ending, means; nothing outside the workspace. */
async function readInside(
  root: string,
  path: string,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  for (const candidate of [...ENDINGS.map((ending) => path + ending), path.replace(/\.js$/, '.ts')]) {
    const real = await realpath(join(root, candidate)).catch(() => undefined);
    if (real === undefined || !real.startsWith(root + sep) || real.includes(`${sep}node_modules${sep}`))
      continue;
    if (!(await stat(real)).isFile()) continue;
    const text = await readFile(real, 'utf8');
    if (!text.includes('\0')) return { path: relative(root, real).split(sep).join('/'), text };
  }
  return undefined;
}
