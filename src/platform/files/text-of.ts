import { readFileSync } from 'node:fs';

/** The text of a file; empty if it cannot be read. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
