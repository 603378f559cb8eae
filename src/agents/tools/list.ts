import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../../platform/text/printable.ts';
import { globAt } from './glob-at.ts';
import { filesBelow, SKIPPED_FOLDERS } from './list-files.ts';
import { placeOf, shownPath, statOf, type Place } from './paths.ts';
import { runScan } from './scan.ts';
import { missing } from './text-file.ts';
import type { ToolRun, ToolSetting } from './tool.ts';

export interface ListInput {
  /** Folder; default the package folder. */
  readonly path?: string;
  readonly glob?: string;
}

export const LIST_ENTRIES = 300;
const MAX_MATCHES = 10_000;
const TIMEOUT_MS = 10_000;

/** The entries of a folder by name, folders with a slash; with a glob the files below it, by path. */
export const list: ToolRun<ListInput> = async (input, setting, signal) => {
  const glob = input.glob || undefined;
  const place = placeOf(input.path || '.', 'read', setting);
  if (!place.exists) throw missing(place);
  if (!statSync(place.absolute).isDirectory()) throw new Error(`${place.shown} is a file; use read.`);
  const entries =
    glob === undefined
      ? await entriesOf(place, setting, signal)
      : await matchesOf(glob, place, setting, signal);
  const what = glob === undefined ? 'Listed the folder' : `Listed ${printable(glob)}`;
  return {
    text: render(entries, glob),
    action: { type: 'other', description: `${what}: ${entries.length} entries.`, file_path: place.path },
  };
};

async function entriesOf({ absolute }: Place, { root }: ToolSetting, signal: AbortSignal): Promise<string[]> {
  const isGit = statOf(join(root, '.git')) !== undefined;
  const kept = isGit
    ? new Set((await filesBelow(root, absolute, signal)).map((file) => file.split('/')[0]!))
    : undefined;
  return readdirSync(absolute)
    .map((name) => ({ name, isFolder: isFolder(join(absolute, name)) }))
    .filter(({ name, isFolder }) =>
      kept === undefined ? !(isFolder && SKIPPED_FOLDERS.has(name)) : kept.has(name),
    )
    .map(({ name, isFolder }) => printable(name) + (isFolder ? '/' : ''))
    .sort();
}

async function matchesOf(
  glob: string,
  { absolute }: Place,
  setting: ToolSetting,
  signal: AbortSignal,
): Promise<string[]> {
  const files = await filesBelow(setting.root, absolute, signal);
  const scan = {
    folder: absolute,
    files,
    ...globAt(glob, absolute, setting),
    maxHits: MAX_MATCHES,
    maxLineChars: 0,
  };
  const { hits, done } = await runScan(scan, TIMEOUT_MS, signal);
  if (signal.aborted) throw new Error('The listing was stopped: the attempt is over.');
  if (!done) throw new Error('Matching the glob took too long and was stopped. Give a simpler glob.');
  return hits.map(({ path }) => shownPath(join(absolute, path), setting));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function render(entries: readonly string[], glob: string | undefined): string {
  if (entries.length === 0) return glob === undefined ? '[empty]' : 'No file matches.';
  const shown = entries.slice(0, LIST_ENTRIES);
  const total = entries.length > MAX_MATCHES ? `more than ${MAX_MATCHES}` : `${entries.length}`;
  const note = `[only the first ${LIST_ENTRIES} of ${total}; name a folder below or a glob]`;
  return [...shown, ...(shown.length < entries.length ? [note] : [])].join('\n');
}
