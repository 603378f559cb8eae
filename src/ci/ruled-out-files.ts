import { join, posix } from 'node:path';
import { parseRuledOut } from '../loop/ruled-out.ts';
import { RALPH_PATHS } from '../platform/ralph-folder.ts';
import { readPlainFile } from './plain-files.ts';
import type { Reflection } from '../schema/generated.ts';

/** Folder of the memory branch with the edits that each attempt ruled out: `ruled-out/<loop-id>/NNN.json`. */
export const RULED_OUT_FOLDER = 'ruled-out';
/** Folder in the output of `ralph ci fix`: the root of a tree with `.aiwg/ralph/loops/<loop-id>`, as reports read it. */
export const STATE_FOLDER = 'state';

const MAX_BYTES = 5 * 1024 * 1024;

/** Path on the memory branch of the edits that the attempt of a reflection ruled out. */
export function ruledOutOnBranch({ loop_id, iteration }: Reflection): string {
  return posix.join(RULED_OUT_FOLDER, loop_id, posix.basename(RALPH_PATHS.reflection(loop_id, iteration)));
}

/** Path of the same edits in the output folder of `ralph ci fix`. */
export function ruledOutInFix(folder: string, { loop_id, iteration }: Reflection): string {
  return join(folder, STATE_FOLDER, RALPH_PATHS.inAttempt(loop_id, iteration + 1, 'ruled-out.json'));
}

/** The ruled-out edits in a file; undefined if it is not the file that the reflection describes. Never rejects. */
export async function readRuledOut(
  path: string,
  reflection: Reflection,
): Promise<{ readonly text: string; readonly edits: readonly string[] } | undefined> {
  const text = (await readPlainFile(path, MAX_BYTES))?.toString('utf8');
  if (text === undefined) return undefined;
  const edits = parseRuledOut(text, reflection);
  return edits && { text, edits };
}
