import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { resolveGlob } from './resolve-glob.ts';
import { filesBelow, SKIPPED_FOLDERS } from './list-files.ts';
import { placeOf, shownPath, statOf, type Place } from './paths.ts';
import { runScan } from './scan.ts';
import { missingFileError } from './text-file.ts';
import type { ToolRun, ToolContext } from './tool.ts';

export interface ListInput {
  /** Default: the package folder. */
  readonly path?: string;
  readonly glob?: string;
}

export const LIST_ENTRIES = 300;
const MAX_MATCHES = 10_000;
const TIMEOUT_MS = 10_000;

/** The `list` tool: the sorted entries of a folder, folders with a slash; with a glob, the matching files below it. */
export const list: ToolRun<ListInput> = async (input, context, signal) => {
  const glob = input.glob || undefined;
  const place = placeOf(input.path || '.', 'read', context);
  if (!place.exists) throw missingFileError(place);
  if (!statSync(place.absolute).isDirectory()) throw new Error(`${place.shown} is a file; use read.`);
  const entries =
    glob === undefined
      ? await entriesOf(place, context, signal)
      : await matchesOf(glob, place, context, signal);
  const done = glob === undefined ? 'Listed the folder' : `Listed ${printable(glob)}`;
  return {
    text: render(entries, glob),
    action: {
      type: 'other',
      description: `${done}: ${plural(entries.length, 'entry', 'entries')}.`,
      file_path: place.path,
    },
  };
};

async function entriesOf({ absolute }: Place, { root }: ToolContext, signal: AbortSignal): Promise<string[]> {
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
  context: ToolContext,
  signal: AbortSignal,
): Promise<string[]> {
  const files = await filesBelow(context.root, absolute, signal);
  const scan = {
    folder: absolute,
    files,
    ...resolveGlob(glob, absolute, context),
    maxHits: MAX_MATCHES,
    maxLineChars: 0,
  };
  const { hits, done } = await runScan(scan, TIMEOUT_MS, signal);
  if (signal.aborted) throw new Error('The listing was stopped: the attempt is over.');
  if (!done) throw new Error('Matching the glob took too long and was stopped. Use a simpler glob.');
  return hits.map(({ path }) => shownPath(join(absolute, path), context));
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
