import type { RunEvent } from '../events.ts';
import { throwIfUnrunnable } from '../loop/loop-errors.ts';
import { MIN_BLOCKS_MS } from '../loop/proof/measure.ts';
import { needlessChanges } from '../loop/proof/needless.ts';
import type { ChangedLines, Evaluation, SourceLine } from '../schema/generated.ts';
import { neededParts } from '../proof/needed-parts.ts';
import type { IsActing } from '../ports/acceptance.ts';
import type { TreeId } from '../ports/tree.ts';
import { acquireLock } from '../state/lock.ts';
import { isTest } from '../workspace/protect/protected-paths.ts';
import { openJudge } from './judge.ts';
import type { Project } from './project.ts';

/** Used in place of a loop id, since the evaluation belongs to no loop. */
const VERIFY_ID = 'ralph-verify';

/** Sources: a fix is most often made of them. */
const LIKELY = /\.[cm]?[jt]sx?$/;

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
  /** Paths of changed files that must not matter: the change is judged without them. */
  readonly unread?: ReadonlySet<string>;
  /** Changed files that stay though no check needs them. */
  readonly isKept: (file: ChangedContent) => boolean;
  /** New declarations that no check needs may not stay if this is true of them. */
  readonly isActing: IsActing;
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
  /** Paths of changed files without which the rest passes: `after` is the evaluation without them. */
  readonly leftOut: readonly string[];
  /** Paths of changed files of which that is not known, because the time ended. */
  readonly untried: readonly string[];
  /** Changed lines of the other files without which every check passes. */
  readonly needless: readonly ChangedLines[];
  /** Changed lines with code that no test runs. */
  readonly unexecuted: readonly SourceLine[];
  /** Why that could not be found out; `over`: the time ended. Absent if it could, or is not asked for. */
  readonly unknown?: string | undefined;
}

const NOTHING = { leftOut: [], untried: [], needless: [], unexecuted: [] };
/** Reasons of the measurement that leave no question. */
const NO_BLOCKS = /touches no product code/;

/** A tree that was evaluated. */
interface Evaluated {
  readonly tree: TreeId;
  readonly evaluation: Evaluation;
}

/** Trials may take this long, or this many times as long as the first evaluation, whichever is longer. */
const MIN_TRIALS_MS = 600_000;
const MAX_TRIALS = 40;

/**
 * Evaluates the user's tree, then the same tree with some files changed, by the rules that a loop accepts an attempt by:
 * without caches, in a checkout, confirmed by the repository's own test command, with protected files as before. The
 * user's tree itself is not changed. Throws RalphError where the repository is locked or no workspace can be opened.
 */
export async function evaluateChange(
  project: Project,
  { files, unread = new Set(), isKept, isActing, doubted, task, signal, emit }: EvaluateChangeRequest,
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
    if (before.passed || signal.aborted) return { before, after: undefined, ...NOTHING };
    judge.noteBaseline(before);
    const evaluate = async (changed: readonly ChangedContent[]): Promise<Evaluated> => {
      const edits = changed.map(async ({ path, isExecutable, content }) => ({
        path: Buffer.from(path),
        ...(content && {
          entry: { mode: isExecutable ? '100755' : '100644', id: await snapshots.writeBlob(content) },
        }),
      }));
      await workspace.restore(await snapshots.amend(base, await Promise.all(edits)));
      const refused = await guard.restoreProtected();
      const tree = await workspace.checkpoint();
      const how = { baseline: before, previous: before, refused, doubted, signal };
      return { tree, evaluation: await judge.evaluateCandidate(tree, how) };
    };
    const needlessIn = async (
      { tree, evaluation }: Evaluated,
      leftMs: number,
    ): Promise<Pick<ChangeEvaluation, 'needless' | 'unexecuted' | 'unknown'>> => {
      const { proofTimeMs } = project.settings;
      if (proofTimeMs === 0 || signal.aborted) return { needless: [], unexecuted: [] };
      const timeoutMs = Math.max(proofTimeMs, MIN_BLOCKS_MS, leftMs);
      await workspace.restore(tree);
      const strength = await judge.strength.measure({
        ...{ root: workspace.root, changes: await workspace.changes(base, tree), evaluation, timeoutMs },
        testFiles: [...new Set(evaluation.tests.flatMap(({ file }) => file ?? []))],
        ...{ onlyBlocks: true, isActing, signal },
        onProgress: (text) => emit({ type: 'progress', text }),
      });
      const needless = needlessChanges(strength, (path) =>
        files.some((file) => file.path === path && isKept(file)),
      );
      const { unexecuted } = strength;
      if (strength.complete || NO_BLOCKS.test(strength.reason ?? '')) return { needless, unexecuted };
      const isOver = strength.duration_ms >= timeoutMs;
      return { needless, unexecuted, unknown: isOver ? 'over' : strength.reason };
    };
    const read = files.filter(({ path }) => !unread.has(path));
    const startedAt = performance.now();
    let last = await evaluate(read);
    if (!last.evaluation.passed) return { before, after: last.evaluation, ...NOTHING };
    const trialsMs = Math.max(MIN_TRIALS_MS, MAX_TRIALS * (performance.now() - startedAt));
    const endsAt = performance.now() + trialsMs;
    const { needed, untried } = await neededParts(read, {
      isKept,
      isLikely: ({ path, content }) => content !== undefined && LIKELY.test(path) && !isTest(path),
      passes: async (rest) => {
        if (performance.now() > endsAt || signal.aborted) return 'over';
        const found = await evaluate(rest);
        if (signal.aborted) return 'over';
        if (found.evaluation.passed) last = found;
        return found.evaluation.passed;
      },
    });
    const leftOut = files.filter((file) => !needed.includes(file)).map(({ path }) => path);
    const found = await needlessIn(last, endsAt - performance.now());
    const after = last.evaluation;
    return { before, after, leftOut, untried: untried.map(({ path }) => path), ...found };
  } finally {
    await workspace.close();
    lock.release();
  }
}
