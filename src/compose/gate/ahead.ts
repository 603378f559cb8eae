import type { TreeId } from '../../ports/tree.ts';
import type { Evaluation } from '../../schema/generated.ts';
import { setupKey } from '../evaluation-key.ts';
import { hashOf } from '../installed-stamp.ts';
import type { Project } from '../project.ts';
import { baselineAhead } from './baseline.ts';
import { isNeeded, type Needed } from './needed-files.ts';
import {
  evaluatePlaced,
  openSessionJudge,
  placeTree,
  type JudgeContext,
  type Placed,
} from './session-judge.ts';

/** A base whose evaluation took longer is left alone: the agent's machine is not kept busy. */
const MOST_AHEAD_MS = 30_000;

/**
 * Evaluates the base and a tree before the agent wants to stop, or tells which ignored files the base needs first. The
 * evaluation of the tree is stored for the stop only if it passes and `isCurrent` is still true: what a busy machine turns red is judged again. Without a sandbox that keeps the
 * programs apart from those of the agent, nothing is done. Throws RalphError if a check cannot run.
 */
export async function evaluateAhead(
  project: Project,
  tree: TreeId,
  { isCurrent, ...context }: JudgeContext & { readonly isCurrent: () => Promise<boolean> },
): Promise<Needed | undefined> {
  const { session, store, signal } = context;
  const judge = await openSessionJudge(project, context);
  if (!judge.isApart) return undefined;
  const baseline = await baselineAhead(judge, project, context);
  if (baseline === undefined || isNeeded(baseline)) return baseline;
  if (tree === session.base_tree || baseline.duration_ms > MOST_AHEAD_MS) return undefined;
  const placed = await placeTree(judge, { tree, baseline, session });
  if (placed.tampering.length > 0) return undefined;
  const previous = store.readEvaluation(session.session, 'last')?.evaluation ?? baseline;
  const evaluation = await evaluatePlaced(judge, placed, { baseline, previous, context });
  if (!evaluation.passed || signal.aborted || !(await isCurrent())) return undefined;
  await store.writeEvaluation(session.session, 'ahead', {
    setup: aheadKey(placed, project, context),
    evaluation,
  });
  return undefined;
}

/** The evaluation that was made before the agent wanted to stop, if nothing that it depends on is different now. */
export function aheadOf(placed: Placed, project: Project, context: JudgeContext): Evaluation | undefined {
  const { session, store } = context;
  if (placed.tampering.length > 0) return undefined;
  const known = store.readEvaluation(session.session, 'ahead');
  return known?.setup === aheadKey(placed, project, context) ? known.evaluation : undefined;
}

/** `checks` stands for the evaluation before, with which the one of the tree is compared. */
function aheadKey(
  { judged }: Placed,
  project: Project,
  { session, programs, surroundings }: JudgeContext,
): string {
  const { base_tree: base, checks, loop_id: id } = session;
  return hashOf([setupKey(project), project.settings, { id, base, judged, checks, programs, surroundings }]);
}
