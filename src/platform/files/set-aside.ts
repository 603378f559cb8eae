import { existsSync } from 'node:fs';
import { writeDurably } from './durable-write.ts';

const MAX_COPIES = 99;

/**
 * Writes the content of a damaged file to `<path>.damaged`, `<path>.damaged-2`, … and returns that path. The file
 * itself stays until the caller replaces it, so that a crash in between loses nothing. Throws RalphError if the disk
 * refuses.
 */
export async function keepDamaged(path: string, content: Uint8Array): Promise<string> {
  const aside = freeName(`${path}.damaged`);
  await writeDurably(aside, content);
  return aside;
}

/** The same for an intact file that is about to be replaced: `<path>.earlier`, `<path>.earlier-2`, …. */
export async function keepEarlier(path: string, content: Uint8Array): Promise<string> {
  const aside = freeName(`${path}.earlier`);
  await writeDurably(aside, content);
  return aside;
}

function freeName(path: string): string {
  for (let number = 1; number < MAX_COPIES; number++) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
  return `${path}-${MAX_COPIES}`;
}
