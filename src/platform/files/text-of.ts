import { readTreeTextSync } from './read-bounded.ts';

/** The text of a file; empty if it cannot be read. */
export function textOf(path: string): string {
  try {
    return readTreeTextSync(path);
  } catch {
    return '';
  }
}
