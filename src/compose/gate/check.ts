import { RalphError } from '../../errors.ts';
import { BY_HAND, findSessionRoot, hasSession, openSessionStore } from '../../gate/session-store.ts';
import { areLinked } from '../../platform/git/git-folders.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import type { CheckAnswer, CheckRequest } from './answer.ts';
import { answerUnchanged } from './answer-unchanged.ts';
import { useEnvironmentOfStart, withEnvironmentOf } from './environment-of-start.ts';
import { STARTED_ELSEWHERE } from './notes.ts';
import { withVariablesOf } from './variables-of-start.ts';

/**
 * Judges the files of now, or answers from the record if nothing has changed. What the agent can put right, such as a
 * package.json that is not JSON any more, holds it like a red test. Throws RalphError for everything else.
 */
export async function checkGate(request: CheckRequest): Promise<CheckAnswer> {
  try {
    // A copy: the environment of this process becomes that of the start.
    const asked = { ...request, env: { ...request.env }, ...folderOf(request) };
    const root = request.trees === undefined ? rootOf(asked.cwd) : undefined;
    if (root !== undefined) useEnvironmentOfStart(openSessionStore(root), request.session);
    const answer = await checkOne(asked);
    return asked.calledFrom === undefined || !answer.passed ? answer : await checkLinked(asked, answer);
  } catch (error) {
    // The check was ended, and git with it: the files are not to blame.
    if (request.signal.aborted) throw error;
    const { blockForError } = await import('./block-for-error.ts');
    return blockForError(error, request);
  }
}

async function checkOne(asked: CheckRequest): Promise<CheckAnswer> {
  const known = await answerFromRecord(asked);
  if (known !== undefined) return known;
  // Loaded only now: an answer from the record must not wait for the modules that take snapshots.
  const { checkFiles } = await import('./check-files.ts');
  return checkFiles(asked);
}

/** Where the agent is in another work tree of the repository, that is judged as well, against the commit of the start. */
async function checkLinked(asked: CheckRequest, answer: CheckAnswer): Promise<CheckAnswer> {
  const { calledFrom: cwd = '', session } = asked;
  const root = rootOf(cwd);
  const { head } = answer.session;
  if (root === undefined || head === undefined || !areLinked(root, asked.cwd)) return answer;
  const { calledFrom: _, ...rest } = asked;
  const linked = await checkOne({
    ...rest,
    cwd,
    env: withEnvironmentOf(answer.session, withVariablesOf(answer.session, rest.env)),
    session: `${session} in a linked work tree`,
    startCommit: head,
  });
  const notes = [...answer.notes.filter((it) => !it.startsWith(STARTED_ELSEWHERE)), ...linked.notes];
  return { ...linked, notes: [...new Set(notes)] };
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

/**
 * The folder that the call names, unless the session was started in another repository. `calledFrom` only if the agent is in
 * another one than that.
 */
function folderOf(request: CheckRequest): Pick<CheckRequest, 'cwd' | 'calledFrom'> {
  const { cwd, session, trees } = request;
  if (trees !== undefined || session === BY_HAND) return { cwd, calledFrom: undefined };
  const own = rootOf(cwd);
  const isElsewhere = request.calledFrom !== undefined && rootOf(request.calledFrom) !== own;
  const here = { cwd, calledFrom: isElsewhere ? request.calledFrom : undefined };
  if (own !== undefined && hasSession(own, session)) return here;
  const root = findSessionRoot(session, { cwd, own });
  return root === undefined || own === root ? here : { cwd: root, calledFrom: cwd };
}

function rootOf(cwd: string): string | undefined {
  try {
    return findRepositoryRoot(cwd);
  } catch {
    return undefined;
  }
}
