import type { RunEvent } from '../events.ts';
import { throwIfUnrunnable } from '../loop/loop-errors.ts';
import type { Evaluation } from '../schema/generated.ts';
import { acquireLock } from '../state/lock.ts';
import { openJudge } from './judge.ts';
import type { Project } from './project.ts';

/** Used in place of a loop id, since the evaluation belongs to no loop. */
const VERIFY_ID = 'ralph-verify';

/** One changed file of a tree. */
export interface ChangedContent {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly isExecutable: boolean;
  /** Undefined: the file is removed. */
  readonly content: Buffer | undefined;
}

export interface EvaluateChangeRequest {
  readonly files: readonly ChangedContent[];
  /** Paths of changed files that must not matter: the change must pass without them too. */
  readonly unread?: ReadonlySet<string>;
  /** Sources of the tree that are not trusted to leave the loading of modules alone. */
  readonly doubted: readonly string[];
  readonly task: string;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** The tree before and after a change. */
export interface ChangeEvaluation {
  readonly before: Evaluation;
  /** Undefined if the tree passes without the change. */
  readonly after: Evaluation | undefined;
}

/**
 * Evaluates the user's tree, then the same tree with some files changed, by the rules that a loop accepts an attempt by:
 * without caches, in a checkout, confirmed by the repository's own test command, with protected files as before. The
 * user's tree itself is not changed. Throws RalphError where the repository is locked or no workspace can be opened.
 */
export async function evaluateChange(
  project: Project,
  { files, unread = new Set(), doubted, task, signal, emit }: EvaluateChangeRequest,
): Promise<ChangeEvaluation> {
  const lock = acquireLock(project.repository.root, { loopId: VERIFY_ID, command: 'verify' });
  const opened = openJudge(project, { loopId: VERIFY_ID, task, isConfined: true, emit });
  const judge = await opened.catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const { workspace, snapshots, guard, warnings } = judge;
  try {
    for (const text of warnings) emit({ type: 'warning', text });
    const { base } = workspace;
    const before = await judge.evaluateBase({ setAside: 'beside_failures', signal });
    throwIfUnrunnable(before);
    if (before.passed || signal.aborted) return { before, after: undefined };
    judge.noteBaseline(before);
    const evaluate = async (changed: readonly ChangedContent[]): Promise<Evaluation> => {
      const edits = changed.map(async ({ path, isExecutable, content }) => ({
        path: Buffer.from(path),
        ...(content && {
          entry: { mode: isExecutable ? '100755' : '100644', id: await snapshots.writeBlob(content) },
        }),
      }));
      await workspace.restore(await snapshots.amend(base, await Promise.all(edits)));
      const refused = await guard.restoreProtected();
      const tree = await workspace.checkpoint();
      return judge.evaluateCandidate(tree, { baseline: before, previous: before, refused, doubted, signal });
    };
    const without = unread.size === 0 ? undefined : files.filter(({ path }) => !unread.has(path));
    const first = without && (await evaluate(without));
    return { before, after: first?.passed === false ? first : await evaluate(files) };
  } finally {
    await workspace.close();
    lock.release();
  }
}
