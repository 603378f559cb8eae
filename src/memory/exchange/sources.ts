import { createReadStream } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, usageError } from '../../errors.ts';
import { boundedLines } from '../../platform/text/bounded-lines.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { MAX_REPORT_BYTES, readBounded } from '../../platform/files/read-bounded.ts';
import { readFolder } from '../../platform/files/read-folder.ts';
import { isFields, textIn, type Candidate } from './candidate.ts';
import { candidatesIn } from './identify.ts';

/** Limits of one line of JSONL. */
const RECORD_BOUNDS = { maxChars: 5 * 1024 * 1024, maxDepth: 40, maxParts: 200_000 };
/** Limits of a JSON file, which may contain many records. */
const FILE_BOUNDS = { maxDepth: 44, maxParts: 20_000_000 };
const MOST_FILES = 200_000;
const MAX_DEPTH = 8;
const STATE_FILE = 'session-state.json';

/** The candidates in files and folders, one at a time. Throws a usage RalphError for a path that does not exist. */
export async function* candidatesFrom(paths: readonly string[]): AsyncIterable<Candidate> {
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw usageError(`${path} cannot be read: ${messageOf(error)}`, 'Name an existing file or folder.');
    });
    if (found.isDirectory()) yield* fromFolder(path);
    else yield* fromFile(path);
  }
}

/** A repository, its `.aiwg`, a folder in it, or any folder with JSON files. */
async function* fromFolder(folder: string): AsyncIterable<Candidate> {
  const names = new Set((await readFolder(folder)).map(({ name }) => name));
  if (names.has('.aiwg')) yield* fromFolder(join(folder, '.aiwg'));
  else if (basename(folder) === '.aiwg' || names.has('ralph-external')) {
    yield* fromTree(join(folder, 'ralph', 'reflections'), { left: MOST_FILES }, 0);
    yield* fromExternal(join(folder, 'ralph-external'));
  } else if (names.has(STATE_FILE) || basename(folder) === 'ralph-external') yield* fromExternal(folder);
  else if (basename(folder) === 'ralph' && names.has('reflections'))
    yield* fromFolder(join(folder, 'reflections'));
  else yield* fromTree(folder, { left: MOST_FILES }, 0);
}

/** State and reflections of AIWG's external loop; its prompts, outputs and snapshots are skipped. */
async function* fromExternal(folder: string): AsyncIterable<Candidate> {
  const loops = (await readFolder(join(folder, 'loops'))).filter((entry) => entry.isDirectory());
  for (const place of [folder, ...loops.map(({ name }) => join(folder, 'loops', name))]) {
    const state = join(place, STATE_FILE);
    const found = await lstat(state).catch(() => undefined);
    // In AIWG's newest versions the outer state is a link to a loop's state, which is read anyway.
    if (found?.isFile() === true) yield* fromFile(state);
    const loop = await loopOf(state);
    for (const entry of await readFolder(join(place, 'reflections'))) {
      if (entry.isFile() && entry.name.endsWith('.json'))
        yield* fromFile(join(place, 'reflections', entry.name), loop);
    }
  }
}

async function loopOf(state: string): Promise<string | undefined> {
  try {
    const value = parseBoundedJson(await readBounded(state), FILE_BOUNDS);
    return isFields(value) ? textIn(value.loopId) : undefined;
  } catch {
    return undefined;
  }
}

async function* fromTree(folder: string, budget: { left: number }, depth: number): AsyncIterable<Candidate> {
  const entries = (await readFolder(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isJson = /\.jsonl?$/.test(entry.name) && !entry.name.startsWith('.');
    if (entry.isDirectory() && depth < MAX_DEPTH) yield* fromTree(path, budget, depth + 1);
    else if (entry.isDirectory()) yield problemOf(path, `is deeper than ${MAX_DEPTH} folders`);
    else if (!isJson) continue;
    else if (!entry.isFile()) yield problemOf(path, 'is not a regular file');
    else if (budget.left-- > 0) yield* fromFile(path);
    else {
      yield problemOf(folder, `has more than ${MOST_FILES} files`);
      return;
    }
  }
}

async function* fromFile(path: string, loop?: string): AsyncIterable<Candidate> {
  try {
    const found = await stat(path);
    if (!found.isFile()) yield problemOf(path, 'is not a regular file');
    else if (path.endsWith('.jsonl')) yield* fromLines(path);
    else if (found.size > MAX_REPORT_BYTES) yield problemOf(path, tooLarge(found.size));
    else yield* parseCandidates(await readBounded(path), { origin: path, loop, bounds: FILE_BOUNDS });
  } catch (error) {
    yield problemOf(path, `cannot be read: ${messageOf(error)}`);
  }
}

/** Reads JSONL of any size, one line at a time. */
async function* fromLines(path: string): AsyncIterable<Candidate> {
  let number = 0;
  for await (const line of boundedLines(createReadStream(path), RECORD_BOUNDS.maxChars)) {
    const origin = `${path}:${++number}`;
    if (!('text' in line))
      yield problemOf(origin, `has ${line.bytes} bytes; at most ${RECORD_BOUNDS.maxChars} are read`);
    else if (line.text.trim() !== '') yield* parseCandidates(line.text, { origin, bounds: RECORD_BOUNDS });
  }
}

function tooLarge(bytes: number): string {
  return `has ${bytes} bytes; at most ${MAX_REPORT_BYTES} are read of one JSON text. JSONL, one record per line, may have any size`;
}

function parseCandidates(
  text: string,
  {
    origin,
    loop,
    bounds,
  }: { readonly origin: string; readonly loop?: string | undefined; readonly bounds: object },
): Candidate[] {
  try {
    return candidatesIn(parseBoundedJson(text.replace(/^\uFEFF/, ''), bounds), origin, loop);
  } catch (error) {
    // PowerShell's `>` writes UTF-16.
    const isWide = text.slice(0, 100).includes('\0');
    const problem = isWide ? 'it is not UTF-8. If it is UTF-16: iconv -f UTF-16 -t UTF-8' : messageOf(error);
    return [problemOf(origin, `is not readable JSON: ${problem}`)];
  }
}

function problemOf(origin: string, problem: string): Candidate {
  return { origin, record: { problem } };
}
