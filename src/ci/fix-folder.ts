import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { readBounded } from '../platform/files/read-bounded.ts';
import { readFolder } from '../platform/files/read-folder.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { RALPH_PATHS, ralphFolder } from '../platform/ralph-folder.ts';
import { parseBoundedJson } from '../platform/text/bounded-json.ts';
import { readLoopRecord } from '../report/data/loop-record.ts';
import { renderMarkdown } from '../report/markdown.ts';
import type { CiFix, Verdict } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { MAX_PATCH_BYTES } from '../workspace/deliver/verified-commit.ts';
import type { FixPlan } from './fix.ts';
import { copyPlainFiles, readPlainFile, removeUnplain } from './plain-files.ts';
import { STATE_FOLDER } from './ruled-out-files.ts';

/** Result of the fix job; its schema is `ci-fix`. */
const FIX_FILE = 'fix.json';
const PATCH_FILE = 'patch.diff';

const MAX_FIX_BYTES = 8 * 1024 * 1024;
/** A longer patch stays in the job; `ralph ci publish` would refuse it. */
const MAX_STORED_PATCH_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 5000;
const MAX_DEPTH = 10;

/**
 * Writes everything that the publish job needs into one folder: verdict, patch, state of the loop, memory. The folder
 * leaves the job, so it holds plain files and folders only: a link in the checkout is neither copied nor followed.
 */
export async function writeFix(
  { root, output }: { readonly root: string; readonly output: string },
  plan: FixPlan,
  verdict: Verdict,
): Promise<void> {
  const { try_id, branch, head, task } = plan;
  const fix: CiFix = { version: 1, try_id, branch, head, verdict, task };
  await mkdir(output, { recursive: true });
  const loopId = verdict.loop_id!;
  const folder = ralphFolder(root);
  await copyFiles(folder.reflectionsOf(loopId), join(output, 'reflections', loopId));
  await copyFiles(folder.memory(), join(output, 'memory'));
  const state = join(output, STATE_FOLDER);
  await copyFiles(folder.loop(loopId), join(state, RALPH_PATHS.loop(loopId)));
  await copyFiles(folder.reflectionsOf(loopId), join(state, RALPH_PATHS.reflectionsOf(loopId)));
  if (verdict.patch !== null) {
    const patch = await readPlainFile(join(root, verdict.patch), MAX_STORED_PATCH_BYTES);
    if (patch !== undefined) await writeDurably(join(output, PATCH_FILE), patch);
  }
  await removeUnplain(output);
  // Written last: a folder with fix.json is complete.
  await writeDurably(join(output, FIX_FILE), `${JSON.stringify(fix, null, 2)}\n`);
}

/**
 * Reads the result of a fix job as untrusted input: plain files and folders only, at most 5,000 files and 10 levels.
 * Returns a string with the reason if it cannot be used. Never rejects because of the folder's contents.
 */
export async function readFix(folder: string): Promise<CiFix | string> {
  try {
    const count = await countFiles(folder, 0);
    if (count > MAX_FILES) return `${folder} holds more than ${MAX_FILES} files`;
    const text = await readBounded(join(folder, FIX_FILE), MAX_FIX_BYTES);
    const checked = validate('ci-fix', parseBoundedJson(text, { maxDepth: 20 }));
    if (!checked.ok) return `${FIX_FILE} does not match its schema: ${renderProblems(checked.problems)}`;
    const { loop_id: loopId } = checked.value.verdict;
    return loopId === null || !isLoopId(loopId) ? `${FIX_FILE} names no loop` : checked.value;
  } catch (error) {
    return messageOf(error);
  }
}

/** Reads the patch; undefined if it is missing, no plain file, or longer than `MAX_PATCH_BYTES`. */
export async function readPatch(folder: string): Promise<Buffer | undefined> {
  return readPlainFile(join(folder, PATCH_FILE), MAX_PATCH_BYTES);
}

/** Renders the loop as Markdown with all its texts escaped. */
export async function renderFix(folder: string, { verdict }: CiFix, maxChars: number): Promise<string> {
  const record = await readLoopRecord(join(folder, STATE_FOLDER), verdict.loop_id!);
  return renderMarkdown(record, { maxChars });
}

/** Copies the plain files of a folder without transcripts of model calls, locks and half-written files. */
function copyFiles(from: string, to: string): Promise<void> {
  return copyPlainFiles(from, to, {
    accepts: (name) => !/(?:model-calls\.jsonl|\.ralph-tmp|lock\S*)$/.test(name),
  });
}

async function countFiles(folder: string, depth: number): Promise<number> {
  if (depth > MAX_DEPTH) throw new Error(`${folder} is nested deeper than ${MAX_DEPTH} folders`);
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder`);
  let count = 0;
  for (const entry of await readFolder(folder)) {
    if (entry.isDirectory()) count += await countFiles(join(folder, entry.name), depth + 1);
    else if (entry.isFile()) count += 1;
    else throw new Error(`${join(folder, entry.name)} is neither a plain file nor a folder`);
    if (count > MAX_FILES) return count;
  }
  return count;
}
