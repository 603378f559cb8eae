import type { AttemptContext } from '../../ports/attempt.ts';
import type { ShownFiles } from '../../prompts/attempt.ts';
import { listFiles, renderListing } from './listing.ts';
import { relevantFiles, type FileLimits } from './relevant-files.ts';
import { createWorkspaceFiles } from './workspace-files.ts';

interface ShownLimits extends FileLimits {
  /** Maximum number of paths in the listing. */
  readonly maxListed: number;
}

/** For an actor that gets nothing but the prompt. */
export const WITHOUT_TOOLS: ShownLimits = { maxChars: 60_000, maxFileChars: 16_000, maxListed: 300 };
/** For an actor that can read the other files itself. */
const WITH_TOOLS: ShownLimits = { maxChars: 24_000, maxFileChars: 8000, maxListed: 120 };

/** The files that matter for an attempt and a listing of the workspace, read now. Empty where nothing can be read. */
export async function shownFiles(
  context: AttemptContext,
  limits: ShownLimits = WITH_TOOLS,
): Promise<ShownFiles> {
  const listing = await listFiles(context);
  const files = createWorkspaceFiles(context.root, context.project.packageDir);
  return {
    files: await relevantFiles(context, listing, files, limits),
    listing: renderListing(listing, limits.maxListed),
  };
}
