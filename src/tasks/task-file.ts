import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf, usageError } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { parseChecklist } from './checklist.ts';
import { parsePrd } from './prd.ts';
import type { TaskFile, TextEdit } from './task-item.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_TASK_CHARS = 20_000;
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The tasks of a file: `.json` is a prd.json, everything else a Markdown checklist. Throws a usage error that names
 * the file where it cannot be read, holds no task, or one that no loop could take.
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
      `${path}: the task ${JSON.stringify(long.title.slice(0, 80))} has ${long.text.length} characters; at most ${MAX_TASK_CHARS} are taken.`,
      'Put the detail into a file of the repository and name it in the task.',
    );
  return file;
}

/**
 * Marks one task as done in the file as it is now, and changes no other byte of it. `missing` where it has no such
 * task any more. The file is replaced in one step; a link to it stays a link. Throws like `readTaskFile`.
 */
export async function tickTask(path: string, key: string): Promise<'ticked' | 'missing'> {
  const text = readText(path);
  const file = parse(text, path);
  if (!file.items.some((item) => item.key === key)) return 'missing';
  const edits = file.tick(key);
  if (edits.length === 0) return 'ticked';
  const target = realpathSync(path);
  await writeDurably(target, edited(text, edits), { mode: statSync(target).mode & 0o777 });
  return 'ticked';
}

function parse(text: string, path: string): TaskFile {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const bare = text.slice(mark);
  const file = extname(path).toLowerCase() === '.json' ? parsePrd(bare, path) : parseChecklist(bare);
  return { ...file, tick: (key) => file.tick(key).map((edit) => ({ ...edit, offset: edit.offset + mark })) };
}

function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length > MAX_BYTES)
    throw usageError(`${path} has ${bytes.length} bytes; at most ${MAX_BYTES} are read.`, 'Split it.');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes))
    throw usageError(`${path} is not UTF-8, so that it could not be written back as it is.`, 'Convert it.');
  return text;
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(
      `--tasks ${path} could not be read: ${messageOf(error)}`,
      'It takes a Markdown checklist or a prd.json.',
    );
  }
}

function edited(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (all, { offset, length, text: put }) => all.slice(0, offset) + put + all.slice(offset + length),
      text,
    );
}
