import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundText } from '../platform/text/bounded-text.ts';
import { liesInRepository } from '../platform/ralph-folder.ts';

const GUIDANCE_FILES = ['AGENTS.md', 'CLAUDE.md'];
const GUIDANCE_CHARS = 8000;

/** What the repository tells agents, of the package or else of the whole; empty where it tells nothing. */
export function readGuidance(root: string, packageDir: string): string {
  for (const path of [packageDir, '.'].flatMap((folder) =>
    GUIDANCE_FILES.map((name) => join(root, folder, name)),
  )) {
    // A link may lead to anything that the user can read.
    if (!liesInRepository(root, path)) continue;
    try {
      return boundText(readFileSync(path, 'utf8').trim(), GUIDANCE_CHARS);
    } catch {
      // Not there; the next one may be.
    }
  }
  return '';
}
