import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { filesBelow } from './list-files.ts';
import { placeOf, shownPath, type Place } from './paths.ts';
import { runScan, type Hit, type Scan, type ScanReport } from './scan.ts';
import { missingFileError } from './text-file.ts';
import type { ToolResult, ToolRun, ToolContext } from './tool.ts';
import { resolveGlob } from './resolve-glob.ts';

export interface SearchInput {
  readonly pattern: string;
  /** File or folder. Default: the package folder. */
  readonly path?: string;
  readonly glob?: string;
  /** Whether the pattern is plain text, not a regular expression. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

export const SEARCH_HITS = 100;
export const SEARCH_BYTES = 20 * 1024;
const LINE_CHARS = 200;
const TIMEOUT_MS = 10_000;

/** The `search` tool: finds lines in text files of at most 1 MB; stopped after 10 seconds. */
export const search: ToolRun<SearchInput> = (input, context, signal) =>
  searchWithin(TIMEOUT_MS, input, context, signal);

/** `search` with another time limit. */
export async function searchWithin(
  timeoutMs: number,
  input: SearchInput,
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const pattern = patternOf(input);
  const place = placeOf(input.path || '.', 'read', context);
  const where = await filesOf(place, context, signal);
  const glob = !input.glob ? {} : resolveGlob(input.glob, where.folder, context);
  const limits = { maxHits: SEARCH_HITS, maxLineChars: LINE_CHARS };
  const report = await runScan({ ...where, prefixes: [], ...glob, pattern, ...limits }, timeoutMs, signal);
  if (signal.aborted) throw new Error('The search was stopped: the attempt is over.');
  if (!report.done && report.hits.length === 0) {
    const seconds = Math.round(timeoutMs / 1000);
    throw new Error(
      `The search took longer than ${seconds} s and was stopped. Simplify the pattern, set literal, or choose a smaller path.`,
    );
  }
  const text = render(report, where.folder, context);
  const count = Math.min(report.hits.length, SEARCH_HITS);
  return {
    text,
    action: {
      type: 'other',
      description: `Searched for ${printable(input.pattern.slice(0, 500))}: ${plural(count, 'line')} found.`,
      file_path: place.path,
    },
  };
}

function patternOf({ pattern, literal = false, ignoreCase = false }: SearchInput): {
  source: string;
  flags: string;
} {
  if (pattern === '') throw new Error('pattern is empty; give the text or the regular expression to find.');
  const inline = literal ? null : /^\(\?i\)/.exec(pattern);
  const source = literal ? escapeRegExp(pattern) : pattern.slice(inline?.[0].length ?? 0);
  const flags = ignoreCase || inline !== null ? 'i' : '';
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new Error(`${(error as Error).message}. Correct it, or set literal to find the text itself.`, {
      cause: error,
    });
  }
  return { source, flags };
}

async function filesOf(
  place: Place,
  { root }: ToolContext,
  signal: AbortSignal,
): Promise<Pick<Scan, 'folder' | 'files'>> {
  if (!place.exists) throw missingFileError(place);
  const stat = statSync(place.absolute);
  if (stat.isDirectory())
    return { folder: place.absolute, files: await filesBelow(root, place.absolute, signal) };
  if (!stat.isFile()) throw new Error(`${place.shown} is not a regular file.`);
  return { folder: dirname(place.absolute), files: [basename(place.absolute)] };
}

function render(report: ScanReport, folder: string, context: ToolContext): string {
  const { hits, matched, searched, tooLarge, done } = report;
  const lines = withinBytes(hits.slice(0, SEARCH_HITS), folder, context);
  const notes = [
    ...(hits.length > lines.length
      ? [`only the first ${lines.length}; narrow pattern, path or glob to see others`]
      : []),
    ...(tooLarge > 0 ? [`${plural(tooLarge, 'file')} over 1 MB left out`] : []),
    ...(done ? [] : ['stopped: it took too long']),
  ];
  const note = notes.length === 0 ? '' : `\n[${notes.join('; ')}]`;
  if (lines.length > 0) return lines.join('\n') + note;
  return (matched === 0 ? 'No file matches.' : `No line matches in ${plural(searched, 'file')}.`) + note;
}

function withinBytes(hits: readonly Hit[], folder: string, context: ToolContext): string[] {
  const shown = new Map<string, string>();
  const nameOf = (path: string): string => {
    const name = shown.get(path) ?? shownPath(join(folder, path), context);
    shown.set(path, name);
    return name;
  };
  const lines = hits.map(({ path, line, text }) => `${nameOf(path)}:${line}: ${text}`);
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > SEARCH_BYTES);
  return end === -1 ? lines : lines.slice(0, end);
}
