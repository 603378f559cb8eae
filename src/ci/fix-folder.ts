import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { readLoopRecord } from '../report/data/loop-record.ts';
import type { CiFix } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { readBounded } from '../platform/files/read-bounded.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { MAX_PATCH_BYTES } from '../workspace/deliver/verified-commit.ts';
import { FIX_FILE, PATCH_FILE } from './fix.ts';
import { STATE_FOLDER } from './ruled-out-files.ts';

const MAX_FIX_BYTES = 8 * 1024 * 1024;
const MAX_FILES = 5000;
const MAX_DEPTH = 10;

/**
 * What a fixing job left, read as something that a stranger sent: only plain files and folders, a bounded number. A
 * string says, without a subject, why it is not used. Never rejects for what is in it.
 */
export async function readFix(folder: string): Promise<CiFix | string> {
  try {
    const count = await countPlain(folder, 0);
    if (count > MAX_FILES) return `${folder} holds more than ${MAX_FILES} files`;
    const text = await readBounded(join(folder, FIX_FILE), MAX_FIX_BYTES);
    const checked = validate('ci-fix', parseBoundedJson(text, { maxDepth: 20 }));
    if (!checked.ok) return `${FIX_FILE} does not hold by its schema: ${renderProblems(checked.problems)}`;
    const { loop_id: loopId } = checked.value.verdict;
    return loopId === null || !isLoopId(loopId) ? `${FIX_FILE} names no loop` : checked.value;
  } catch (error) {
    return messageOf(error);
  }
}

/** The patch; undefined where there is none, or a longer one than is taken. */
export async function readPatch(folder: string): Promise<Buffer | undefined> {
  const path = join(folder, PATCH_FILE);
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.size <= MAX_PATCH_BYTES ? readFile(path) : undefined;
}

/** The loop as Markdown, each text of it escaped. */
export async function renderFix(folder: string, { verdict }: CiFix, maxChars: number): Promise<string> {
  const record = await readLoopRecord(join(folder, STATE_FOLDER), verdict.loop_id!);
  return renderMarkdown(record, { maxChars });
}

async function countPlain(folder: string, depth: number): Promise<number> {
  if (depth > MAX_DEPTH) throw new Error(`${folder} is nested deeper than ${MAX_DEPTH} folders`);
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  let count = 0;
  for (const entry of await readFolder(folder)) {
    if (entry.isDirectory()) count += await countPlain(join(folder, entry.name), depth + 1);
    else if (entry.isFile()) count += 1;
    else throw new Error(`${join(folder, entry.name)} is a link or something else that is no file`);
    if (count > MAX_FILES) return count;
  }
  return count;
}
