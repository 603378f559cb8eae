import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { RalphError, messageOf, usageError } from '../errors.ts';
import { sweepOrphans, writeDurably } from '../platform/files/durable-write.ts';
import { parseChecklist } from './checklist.ts';
import { parsePrd } from './prd.ts';
import type { TaskFile, TextEdit } from './task-item.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_TASK_CHARS = 20_000;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads the tasks of a file: a `.json` file is a prd.json, every other one a Markdown checklist. Throws a usage error if the
 * file cannot be read, has no task, or has a task that is too long for a loop.
 */
export function readTaskFile(path: string): TaskFile {
  const file = parse(readText(path), path);
  if (file.items.length === 0)
    throw usageError(
      `${path} has no task.`,
      'A Markdown checklist has lines such as "- [ ] what to do"; a prd.json has "userStories".',
    );
  const long = file.items.find(({ text }) => text.length > MAX_TASK_CHARS);
  if (long !== undefined)
    throw usageError(
      `${path}: the task ${JSON.stringify(long.title.slice(0, 80))} has ${long.text.length} characters; at most ${MAX_TASK_CHARS} are accepted.`,
      'Move the details to a file of the repository and refer to it in the task.',
    );
  return file;
}

/**
 * Marks one task as done in the present file, without changing any other byte. Resolves to `missing` if the file no longer
 * has the task. The file is replaced atomically; a link to it stays a link. Throws like `readTaskFile`.
 */
export async function tickTask(path: string, key: string): Promise<'ticked' | 'missing'> {
  const text = readText(path);
  const file = parse(text, path);
  if (!file.items.some((item) => item.key === key)) return 'missing';
  const edits = file.tick(key);
  if (edits.length === 0) return 'ticked';
  const target = realpathSync(path);
  await writeDurably(target, applyEdits(text, edits), { mode: statSync(target).mode & 0o777 });
  return 'ticked';
}

/** Removes what killed processes left beside a task file while they marked a task. Never rejects for a missing folder. */
export async function removeUnfinishedTicks(path: string): Promise<void> {
  await sweepOrphans(dirname(realpathSync(path)));
}

function parse(text: string, path: string): TaskFile {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const bare = text.slice(mark);
  const file = extname(path).toLowerCase() === '.json' ? parsePrd(bare, path) : parseChecklist(bare);
  return { ...file, tick: (key) => file.tick(key).map((edit) => ({ ...edit, offset: edit.offset + mark })) };
}

function readText(path: string): string {
  const bytes = readBytes(path);
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw usageError(`${path} is not UTF-8.`, 'Convert it to UTF-8.');
  return text;
}

function readBytes(path: string): Buffer {
  const accepted = '--tasks accepts a Markdown checklist or a prd.json.';
  try {
    const found = statSync(path);
    if (!found.isFile()) throw usageError(`--tasks ${path} is not a file.`, accepted);
    if (found.size > MAX_BYTES)
      throw usageError(`${path} has ${found.size} bytes; at most ${MAX_BYTES} are read.`, 'Split the file.');
    return readFileSync(path);
  } catch (error) {
    throw error instanceof RalphError
      ? error
      : usageError(`--tasks ${path} could not be read: ${messageOf(error)}`, accepted);
  }
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (result, edit) => result.slice(0, edit.offset) + edit.text + result.slice(edit.offset + edit.length),
      text,
    );
}
