import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';

/** What code names that ends a process, swallows its errors or replaces a built-in. */
const TOUCHING =
  /\bprocess\b|\bglobalThis\b|\bglobal\s*[.[]|\b(?:exit|reallyExit|exitCode)\b|\b(?:uncaughtException|unhandledRejection)\b|\bconsole\s*(?:\.\s*\w+|\[[^\]]*\])\s*=(?!=)|\bprototype\b|\bdefineProperty\b|\bReflect\b/g;

/** Whether a changed source names more of what decides over its process than it does in the base. */
export async function newlyTouchesProcess({
  request: { root },
  sources,
  baseText,
}: Pick<ChangedSources, 'request' | 'sources' | 'baseText'>): Promise<boolean> {
  for (const source of sources) {
    const before = await baseText(source);
    const now = textOf(join(root, source));
    if (countIn(now) > countIn(before ?? '')) return true;
  }
  return false;
}

function countIn(text: string): number {
  return text.match(TOUCHING)?.length ?? 0;
}
