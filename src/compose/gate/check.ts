import { RalphError } from '../../errors.ts';
import { BY_HAND, findSessionRoot, hasSession } from '../../gate/session-store.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { CheckAnswer, CheckRequest } from './answer.ts';
import { answerUnchanged } from './answer-unchanged.ts';

/**
 * Judges the files of now, or answers from the record if nothing has changed. What the agent can put right, such as a
 * package.json that is not JSON any more, holds it like a red test. Throws RalphError for everything else.
 */
export async function checkGate(request: CheckRequest): Promise<CheckAnswer> {
  try {
    const asked = { ...request, ...folderOf(request) };
    const known = await answerFromRecord(asked);
    if (known !== undefined) return known;
    // Loaded only now: an answer from the record must not wait for the modules that take snapshots.
    const { checkFiles } = await import('./check-files.ts');
    return await checkFiles(asked);
  } catch (error) {
    const { blockForError } = await import('./block-for-error.ts');
    return blockForError(error, request);
  }
}

/** Undefined also where another process works in the repository: the check of the files waits for it. */
async function answerFromRecord(request: CheckRequest): Promise<CheckAnswer | undefined> {
  const root = rootOf(request.cwd);
  try {
    return root === undefined ? undefined : await answerUnchanged(request, root);
  } catch (error) {
    if (error instanceof RalphError && error.code === 'locked') return undefined;
    throw error;
  }
}

/** The folder that the call names, unless the session was started in another repository. */
function folderOf({ cwd, session, trees }: CheckRequest): Pick<CheckRequest, 'cwd' | 'calledFrom'> {
  if (trees !== undefined || session === BY_HAND) return { cwd };
  const own = rootOf(cwd);
  if (own !== undefined && hasSession(own, session)) return { cwd };
  const root = findSessionRoot(session, cwd);
  return root === undefined || own === root ? { cwd } : { cwd: root, calledFrom: cwd };
}

function rootOf(cwd: string): string | undefined {
  try {
    return findRepositoryRoot(cwd);
  } catch {
    return undefined;
  }
}
