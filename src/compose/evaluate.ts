import { limitGit } from '../platform/git/limits.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../events.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { TreeId } from '../ports/tree.ts';
import { createEvaluator } from '../proof/evaluator.ts';
import type { Evaluation } from '../schema/generated.ts';
import { openEvaluationRecord, type KnownEvaluation } from '../state/evaluation-record.ts';
import { acquireLock } from '../state/lock.ts';
import { findCarried } from '../workspace/carry.ts';
import { openSnapshots, type Snapshots } from '../workspace/snapshots/snapshots.ts';
import { checksCacheDir } from '../workspace/workspace-dir.ts';
import { checkEvents } from './check-events.ts';
import { setupKey, surroundingsKey } from './evaluation-key.ts';
import { baselineAdvice } from './install-advice.ts';
import type { Project } from './project.ts';
import { sandboxAdvice } from './sandbox-advice.ts';
import { carriedGlobs, openWorkbench } from './workbench.ts';

/** Used in place of a loop id, since an evaluation belongs to no loop. */
const EVALUATION_ID = 'ralph-evaluate';

/** How an evaluation is stopped and observed. */
export interface EvaluateRequest {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  /** Run everything again without caches, and confirm it by the repository's own test command. Default false. */
  readonly fresh?: boolean;
}

/** An evaluation of the user's tree. */
export interface TreeEvaluation {
  readonly evaluation: Evaluation;
  /** When the same tree was evaluated before, ISO 8601; undefined if the checks ran now. */
  readonly knownSince?: string;
}

/**
 * Evaluates the user's tree as it is, without caches the first time. The repository's own test command runs beside the
 * checks, unless they are exactly what it runs. A green tree that has not changed is answered from the record. Throws
 * RalphError where the repository is locked or no workspace can be opened.
 */
export function evaluateOnce(project: Project, request: EvaluateRequest): Promise<TreeEvaluation> {
  return limitGit({ signal: request.signal }, () => evaluate(project, request));
}

async function evaluate(
  project: Project,
  { signal, emit, fresh = false }: EvaluateRequest,
): Promise<TreeEvaluation> {
  const { repository, settings } = project;
  const lock = acquireLock(repository.root, { loopId: EVALUATION_ID, command: 'evaluate' });
  try {
    const snapshots = await openSnapshots(repository, EVALUATION_ID);
    const [base, carried] = await Promise.all([
      snapshots.snapshot(repository.root),
      findCarried(repository, carriedGlobs(project)),
    ]);
    // Apart from the caches of loops, which code of an actor can write.
    const cacheDir = join(checksCacheDir(repository, settings.workspaceDir), EVALUATION_ID);
    const record = openEvaluationRecord(cacheDir);
    const setup = setupKey(project);
    const key = { setup, surroundings: surroundingsKey(setup, repository.root, carried) };
    const earlier = fresh ? undefined : await record.read(setup);
    // Files that are copied beside the tree may have changed as well: then nothing is known of what they affect.
    const known = earlier?.surroundings === key.surroundings ? earlier : undefined;
    if (known?.tree === base && known.evaluation.passed)
      return { evaluation: known.evaluation, knownSince: known.at };
    const [bench, changes] = await Promise.all([
      openWorkbench(project, { loopId: EVALUATION_ID, hasActor: false, base, snapshots, carried }),
      known && changesSince(known, { snapshots, base }),
    ]);
    const { workspace, suite, warnings, readsOutside } = bench;
    for (const text of warnings) emit({ type: 'warning', text });
    emit({ type: 'baseline_started', checks: project.plan.checks });
    if (earlier === undefined) await rm(cacheDir, { recursive: true, force: true });
    const evaluator = createEvaluator({ ...suite, cacheDir, ...checkEvents(emit) });
    const evaluation = await evaluator.evaluate({
      root: workspace.root,
      tree: base,
      signal,
      confirm: true,
      isOwn: true,
      ...(readsOutside ? {} : changes),
    });
    if (suite.sandbox !== undefined)
      for (const text of sandboxAdvice(evaluation)) emit({ type: 'warning', text });
    for (const text of baselineAdvice(project, evaluation)) emit({ type: 'warning', text });
    // Files outside of the tree can change without a trace.
    if (readsOutside) await record.remove();
    else if (!signal.aborted)
      await record.write({ ...key, tree: base, at: new Date().toISOString(), evaluation });
    return { evaluation };
  } finally {
    lock.release();
  }
}

interface EvaluatedTree {
  readonly snapshots: Snapshots;
  readonly base: TreeId;
}

/** The change since an evaluation; nothing if its tree is not stored any more. */
async function changesSince(
  { tree, evaluation }: KnownEvaluation,
  { snapshots, base }: EvaluatedTree,
): Promise<Pick<EvaluationRequest, 'previous' | 'changed'>> {
  try {
    const { files } = await snapshots.changes(tree, base);
    return { previous: evaluation, changed: files };
  } catch {
    return {};
  }
}
