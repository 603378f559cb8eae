import { existsSync } from 'node:fs';
import { writeDurably } from './durable-write.ts';

const MOST_KEPT = 99;

/**
 * Keeps what was in a damaged file beside it, as `<path>.damaged`, `<path>.damaged-2`, …; the file itself is left for
 * the caller to replace, so that a crash in between loses neither. Gives the new path. Throws RalphError where the
 * disk refuses.
 */
export async function keepDamaged(path: string, content: Uint8Array): Promise<string> {
  const aside = freeName(`${path}.damaged`);
  await writeDurably(aside, content);
  return aside;
}

/** The same for a sound file that another takes the place of: `<path>.earlier`, `<path>.earlier-2`, …. */
export async function keepEarlier(path: string, content: Uint8Array): Promise<string> {
  const aside = freeName(`${path}.earlier`);
  await writeDurably(aside, content);
  return aside;
}

function freeName(path: string): string {
  for (let number = 1; number < MOST_KEPT; number++) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
  return `${path}-${MOST_KEPT}`;
}
