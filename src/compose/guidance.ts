import { join } from 'node:path';
import { readTreeTextSync } from '../platform/files/read-bounded.ts';
import { boundText } from '../platform/text/bounded-text.ts';
import { liesInRepository } from '../platform/ralph-folder.ts';

const GUIDANCE_FILES = ['AGENTS.md', 'CLAUDE.md'];
const GUIDANCE_CHARS = 8000;

/** The repository's AGENTS.md or CLAUDE.md, of the package or else of the root, bounded; empty if it has none. */
export function readGuidance(root: string, packageDir: string): string {
  for (const path of [packageDir, '.'].flatMap((folder) =>
    GUIDANCE_FILES.map((name) => join(root, folder, name)),
  )) {
    // A link out of the repository could point to any file that the user can read.
    if (!liesInRepository(root, path)) continue;
    try {
      return boundText(readTreeTextSync(path).trim(), GUIDANCE_CHARS);
    } catch {
      // The file does not exist; try the next one.
    }
  }
  return '';
}
