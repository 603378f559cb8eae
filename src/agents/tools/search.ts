import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { printable } from '../../platform/text/printable.ts';
import { filesBelow } from './list-files.ts';
import { placeOf, shownPath, type Place } from './paths.ts';
import { runScan, type Hit, type Scan, type ScanReport } from './scan.ts';
import { missing } from './text-file.ts';
import type { ToolResult, ToolRun, ToolSetting } from './tool.ts';
import { globAt } from './glob-at.ts';

export interface SearchInput {
  readonly pattern: string;
  /** File or folder; default the package folder. */
  readonly path?: string;
  readonly glob?: string;
  /** The pattern is the text itself. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
}

export const SEARCH_HITS = 100;
export const SEARCH_BYTES = 20 * 1024;
const LINE_CHARS = 200;
const TIMEOUT_MS = 10_000;

/** Finds lines in text files of at most 1 MB. A pattern that takes too long is stopped after 10 seconds. */
export const search: ToolRun<SearchInput> = (input, setting, signal) =>
  searchWithin(TIMEOUT_MS, input, setting, signal);

/** `search` with a time limit of its own. */
export async function searchWithin(
  timeoutMs: number,
  input: SearchInput,
  setting: ToolSetting,
  signal: AbortSignal,
): Promise<ToolResult> {
  const pattern = patternOf(input);
  const place = placeOf(input.path || '.', 'read', setting);
  const where = await filesOf(place, setting, signal);
  const glob = !input.glob ? {} : globAt(input.glob, where.folder, setting);
  const limits = { maxHits: SEARCH_HITS, maxLineChars: LINE_CHARS };
  const report = await runScan({ ...where, prefixes: [], ...glob, pattern, ...limits }, timeoutMs, signal);
  if (signal.aborted) throw new Error('The search was stopped: the attempt is over.');
  if (!report.done && report.hits.length === 0) {
    const seconds = Math.round(timeoutMs / 1000);
    throw new Error(
      `The search took longer than ${seconds} s and was stopped. Simplify the pattern or set literal, or name a smaller path.`,
    );
  }
  const text = render(report, where.folder, setting);
  const count = Math.min(report.hits.length, SEARCH_HITS);
  return {
    text,
    action: {
      type: 'other',
      description: `Searched for ${printable(input.pattern.slice(0, 500))}: ${count} lines found.`,
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
  const source = literal
    ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    : pattern.slice(inline?.[0].length ?? 0);
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
  { root }: ToolSetting,
  signal: AbortSignal,
): Promise<Pick<Scan, 'folder' | 'files'>> {
  if (!place.exists) throw missing(place);
  const stat = statSync(place.absolute);
  if (stat.isDirectory())
    return { folder: place.absolute, files: await filesBelow(root, place.absolute, signal) };
  if (!stat.isFile()) throw new Error(`${place.shown} is no regular file.`);
  return { folder: dirname(place.absolute), files: [basename(place.absolute)] };
}

function render(report: ScanReport, folder: string, setting: ToolSetting): string {
  const { hits, matched, searched, tooLarge, done } = report;
  const lines = withinBytes(hits.slice(0, SEARCH_HITS), folder, setting);
  const notes = [
    ...(hits.length > lines.length
      ? [`only the first ${lines.length}; narrow pattern, path or glob for others`]
      : []),
    ...(tooLarge > 0 ? [`${tooLarge} files over 1 MB left out`] : []),
    ...(done ? [] : ['stopped: it took too long']),
  ];
  const note = notes.length === 0 ? '' : `\n[${notes.join('; ')}]`;
  if (lines.length > 0) return lines.join('\n') + note;
  return (matched === 0 ? 'No file matches.' : `No line matches in ${searched} files.`) + note;
}

function withinBytes(hits: readonly Hit[], folder: string, setting: ToolSetting): string[] {
  const shown = new Map<string, string>();
  const nameOf = (path: string): string => {
    const name = shown.get(path) ?? shownPath(join(folder, path), setting);
    shown.set(path, name);
    return name;
  };
  const lines = hits.map(({ path, line, text }) => `${nameOf(path)}:${line}: ${text}`);
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += Buffer.byteLength(line) + 1) > SEARCH_BYTES);
  return end === -1 ? lines : lines.slice(0, end);
}
