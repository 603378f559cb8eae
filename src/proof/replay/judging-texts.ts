import { join, relative } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { importedFiles } from './ambient/reached.ts';
import type { RecordedCall } from './recorder/recorded-call.ts';
import type { ReplayRequest } from './replay-request.ts';

export interface JudgingText {
  /** Relative to the root. */
  readonly file: string;
  readonly text: string;
}

/** Texts of the files of a command's tests, of those that started the processes of the calls, and of what these import. */
export function judgingTexts(
  calls: readonly RecordedCall[],
  { request: { root }, isJudge, tested = [] }: ReplayRequest,
): JudgingText[] {
  if (isJudge === undefined) return [];
  const entries = calls.map(({ entry }) => relative(root, entry)).filter((file) => !isOutside(file));
  const files = new Set([...entries, ...tested]);
  for (const file of files) for (const next of importedFiles(root, file)) if (isJudge(next)) files.add(next);
  return [...files].map((file) => ({ file, text: textOf(join(root, file)) }));
}

function isOutside(file: string): boolean {
  return /(^|\/)(\.\.|node_modules)\//.test(file);
}

/** True for a call that belongs to a test, and not to a program of the product that a command runs. */
export function isOfJudge({ entry }: RecordedCall, { request: { root }, isJudge }: ReplayRequest): boolean {
  const inside = relative(root, entry);
  return isJudge === undefined || entry === '' || isOutside(inside) || isJudge(inside);
}
