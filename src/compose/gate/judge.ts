import { join } from 'node:path';
import { decide, type Decision } from '../../gate/decision.ts';
import { criteriaOf, decideCriteria } from '../../loop/proof/criteria.ts';
import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Criterion, Evaluation, Tampering } from '../../schema/generated.ts';
import { joinList } from '../../prompts/phrases.ts';
import { createImportGraph } from '../../platform/modules/import-graph.ts';
import { statOf } from '../../platform/files/real-paths.ts';
import { findEarlierFailures } from '../../proof/assertions/earlier-failures.ts';
import type { Judge } from '../judge.ts';
import type { Project } from '../project.ts';
import { NO_TASK, proofOptions } from '../loop/task-proof.ts';
import { aheadOf } from './ahead.ts';
import { baselineOf, evaluate, storeBaseline, withoutTitles } from './baseline.ts';
import { withFailingByChance } from './failing-by-chance.ts';
import { isNeeded, type Needed } from './needed-files.ts';
import { newPackages } from './new-packages.ts';
import { addedReads } from './added-reads.ts';
import { newSurroundings } from './new-surroundings.ts';
import { newlyByChance } from './newly-by-chance.ts';
import { redByChance } from './red-by-chance.ts';
import { describeSkippedInCi, judgeWithoutCi, skippedInCi } from './skipped-in-ci.ts';
import {
  evaluatePlaced,
  openSessionJudge,
  placeTree,
  type JudgeContext,
  type Placed,
} from './session-judge.ts';

/** A judged tree. */
export interface Judgement {
  readonly decision: Decision;
  readonly baseline: Evaluation;
  readonly evaluation: Evaluation;
  /** The evaluation of the check before; the baseline for the first. */
  readonly previous: Evaluation;
  readonly tampering: readonly Tampering[];
  /** Changes since the start. */
  readonly changes: ChangeSet;
  /** Absolute path of the workspace, which holds the judged tree. */
  readonly root: string;
  /** Sentences for the user on what the change newly reads of its surroundings, on packages that it adds, and on skipped tests. */
  readonly newNeeds: readonly string[];
}

/**
 * Judges a tree against the base of its session, or tells which ignored files that base needs first. Throws RalphError if a check
 * cannot run.
 */
export async function judgeTree(
  project: Project,
  tree: TreeId,
  context: JudgeContext,
): Promise<Judgement | Needed> {
  const { session, store } = context;
  const judge = await openSessionJudge(project, context);
  const { workspace, snapshots } = judge;
  const known = await baselineOf(judge, project, context);
  if (isNeeded(known)) return known;
  const previous = store.readEvaluation(session.session, 'last')?.evaluation ?? known;
  const first = await evaluateTree(judge, { tree, baseline: known, previous }, { project, context });
  const named = await withoutTitles(
    judge,
    { baseline: known, evaluation: first.evaluation },
    project,
    context,
  );
  const again = (): Promise<Evaluation> => evaluate(judge, context);
  const failing = await withFailingByChance({
    baseline: named ?? known,
    evaluation: first.evaluation,
    again,
  });
  if (failing !== undefined) await storeBaseline(failing.baseline, project, context);
  const baseline = failing?.baseline ?? named ?? known;
  const candidate = { tree, baseline, previous, redByChance: failing?.ids ?? [] };
  const second = baseline === known ? first : await evaluateTree(judge, candidate, { project, context });
  const chance = await redByChance({ baseline, evaluation: second.evaluation, again });
  const { judged, tampering, evaluation } =
    chance.length === 0
      ? second
      : await evaluateTree(
          judge,
          { ...candidate, redByChance: [...candidate.redByChance, ...chance] },
          { project, context },
        );
  await store.writeEvaluation(session.session, 'last', { setup: '', evaluation });
  await workspace.restore(tree);
  const criteria = criteriaIn(project, baseline, evaluation);
  const earlier = findEarlierFailures(workspace.root, { before: baseline, now: evaluation });
  const decision = decide({
    ...{ baseline, evaluation, criteria, earlier, isAllGreen: session.all_green },
    tampering: tampering.map((one) => withIgnored(one, project.repository.root)),
  });
  const reads = await addedReads(workspace.base, tree, snapshots);
  const changes = await workspace.changes(workspace.base, tree);
  const skipped = skippedInCi(workspace.root, evaluation);
  const rerun = {
    baseline,
    again: (which: 'change' | 'start') =>
      which === 'start' ? again() : evaluateAgain(judge, judged, context),
  };
  const isReached = reachesOneOf(
    changes.files.map(({ path }) => path),
    workspace.root,
  );
  const alone = decision.passed
    ? await judgeWithoutCi({ ...rerun, skipped, isReached })
    : { unjudged: skipped };
  const doubt =
    decision.passed && alone.doubt === undefined
      ? await newlyByChance({ ...rerun, evaluation, reads })
      : alone.doubt;
  if (decision.passed && reads.length + skipped.length > 0) await workspace.restore(tree);
  return {
    decision: doubt === undefined ? decision : { ...decision, passed: false, others: [doubt] },
    baseline,
    evaluation,
    previous,
    tampering,
    changes,
    root: workspace.root,
    newNeeds: [
      ...describeFailing(failing?.ids ?? [], baseline),
      ...describeChance(chance, baseline),
      ...newSurroundings(reads),
      ...describeSkippedInCi(alone.unjudged),
      ...(await newPackages(workspace.base, tree, snapshots)),
    ],
  };
}

/** Tells whether a file imports one of the files, directly or through others. */
function reachesOneOf(files: readonly string[], root: string): (file: string) => boolean {
  const graph = createImportGraph(root);
  return (file) => graph.reachedFrom(file).some(({ file: reached }) => files.includes(reached));
}

/** A protected file that is no part of the tree, but lies in the user's folder: git ignores it and does not track it any more. */
function withIgnored(tampering: Tampering, root: string): Tampering {
  const { kind, file } = tampering;
  if (kind !== 'protected_deleted' || statOf(join(root, file))?.isFile() !== true) return tampering;
  const detail = `${file} is ignored by git and not tracked any more, but the verdict depends on it. Track it again as it was: git add --force ${file}`;
  return { ...tampering, file: '', detail };
}

function describeChance(ids: readonly string[], { tests }: Evaluation): string[] {
  const names = tests.filter(({ id }) => ids.includes(id)).map(({ name }) => `"${name}"`);
  if (names.length === 0) return [];
  return [`Red at the start by chance, for it passed when the start ran again: ${joinList(names)}.`];
}

function describeFailing(ids: readonly string[], { tests }: Evaluation): string[] {
  const names = tests.filter(({ id }) => ids.includes(id)).map(({ name }) => `"${name}"`);
  if (names.length === 0) return [];
  return [`Red by chance, at the start too, for it failed when the start ran again: ${joinList(names)}.`];
}

interface Candidate {
  readonly tree: TreeId;
  readonly baseline: Evaluation;
  readonly previous: Evaluation;
  /** Ids of tests that chance decides; undefined in the first evaluation, before that is known. */
  readonly redByChance?: readonly string[];
}

interface EvaluatedTree extends Placed {
  readonly evaluation: Evaluation;
}

/** Evaluates a tree. An evaluation from `gate ahead` serves only the first time, for it compares with the stored baseline. */
async function evaluateTree(
  judge: Judge,
  { tree, baseline, previous, redByChance: chance }: Candidate,
  { project, context }: { readonly project: Project; readonly context: JudgeContext },
): Promise<EvaluatedTree> {
  const placed = await placeTree(judge, { tree, baseline, session: context.session });
  const ahead = chance === undefined ? aheadOf(placed, project, context) : undefined;
  const evaluation =
    ahead ?? (await evaluatePlaced(judge, placed, { baseline, previous, redByChance: chance, context }));
  return { ...placed, evaluation };
}

/** One more run of the checks on a tree that was judged. */
async function evaluateAgain(
  { workspace, evaluator }: Judge,
  tree: TreeId,
  { signal }: JudgeContext,
): Promise<Evaluation> {
  await workspace.restore(tree);
  const { root, base } = workspace;
  const evaluation = await evaluator.evaluate({ root, tree, baseTree: base, confirm: false, signal });
  signal.throwIfAborted();
  return evaluation;
}

/** The user's criteria, without the checks that were red at the start. */
function criteriaIn(project: Project, baseline: Evaluation, now: Evaluation): Criterion[] {
  const { acceptTests } = proofOptions(project, NO_TASK);
  const sources = { checks: project.plan.checks, acceptTests, written: [], writtenFiles: [] };
  return decideCriteria(criteriaOf(baseline, sources), now).filter(({ source }) => source !== 'check');
}
