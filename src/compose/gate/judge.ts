import type { RunEvent } from '../../events.ts';
import { decide, type Decision } from '../../gate/decision.ts';
import type { SessionStore } from '../../gate/session-store.ts';
import { throwIfUnrunnable } from '../../loop/loop-errors.ts';
import { criteriaOf, decideCriteria } from '../../loop/proof/criteria.ts';
import { refuseCommands, refuseTestFiles } from '../../loop/proof/refuse-unprovable.ts';
import { cannotBeUndone } from '../../loop/tampering.ts';
import type { ChangeSet, TreeId } from '../../ports/tree.ts';
import type { Config, Criterion, Evaluation, GateSession, Tampering } from '../../schema/generated.ts';
import { matcherOf } from '../../workspace/globs.ts';
import type { EntryChange } from '../../workspace/snapshots/tree-changes.ts';
import { foldersOf, setupKey } from '../evaluation-key.ts';
import { installedStamp } from '../installed-stamp.ts';
import { openJudge, type Judge, type JudgeRequest } from '../judge.ts';
import type { Project } from '../project.ts';
import { NO_TASK, proofOptions } from '../loop/task-proof.ts';
import { newSurroundings } from './new-surroundings.ts';

/** How a judgement is stopped and observed. */
export interface Listener {
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** A session, and where its evaluations are kept. */
export interface SessionContext extends Listener, Pick<JudgeRequest, 'snapshots' | 'carried'> {
  readonly session: GateSession;
  readonly store: SessionStore;
}

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
  /** Sentences on what the change newly reads of its surroundings. */
  readonly newSurroundings: readonly string[];
}

/** Evaluates the base of a session, unless that is known. Throws RalphError if a check cannot run. */
export async function evaluateBase(project: Project, context: SessionContext): Promise<Evaluation> {
  return baselineOf(await openSessionJudge(project, context), project, context);
}

/** Judges a tree against the base of its session. Throws RalphError if a check cannot run. */
export async function judgeTree(project: Project, tree: TreeId, context: SessionContext): Promise<Judgement> {
  const { session, store, signal } = context;
  const judge = await openSessionJudge(project, context);
  const { guard, workspace, snapshots } = judge;
  const baseline = await baselineOf(judge, project, context);
  judge.noteBaseline(baseline);
  await workspace.restore(tree);
  const ownSettings = changedSettings(await snapshots.entryChanges(workspace.base, tree), session);
  const tampering = [...(await guard.restoreProtected()), ...ownSettings];
  const judged = await workspace.checkpoint();
  const previous = store.readEvaluation(session.session, 'last')?.evaluation ?? baseline;
  const refused = tampering.filter(cannotBeUndone);
  const evaluation = await judge.evaluateCandidate(judged, { baseline, previous, refused, signal });
  await store.writeEvaluation(session.session, 'last', { setup: '', evaluation });
  await workspace.restore(tree);
  const criteria = criteriaIn(project, baseline, evaluation);
  return {
    decision: decide({ baseline, evaluation, tampering, criteria, isAllGreen: session.all_green }),
    baseline,
    evaluation,
    previous,
    tampering,
    changes: await workspace.changes(workspace.base, tree),
    root: workspace.root,
    newSurroundings: await newSurroundings(workspace.base, tree, snapshots),
  };
}

/** Files with ralph's own settings: what they allow counts only from the next session on. */
const OWN_SETTINGS = matcherOf(['ralph.config.{js,mjs,cjs,ts,mts,cts,json}']);

function changedSettings(changes: readonly EntryChange[], { config }: GateSession): Tampering[] {
  const { allow = [] } = config as Config;
  const isAllowed = matcherOf(allow);
  return changes.flatMap(({ path, before, after }) => {
    const file = path.toString('utf8');
    if (!OWN_SETTINGS(file) || isAllowed(file)) return [];
    const kind =
      before === undefined
        ? 'protected_added'
        : after === undefined
          ? 'protected_deleted'
          : 'protected_edited';
    return [{ kind, file, detail: `${file} was changed, but the verdict depends on it.` } as const];
  });
}

/** The user's criteria, without the checks that were red at the start. */
function criteriaIn(project: Project, baseline: Evaluation, now: Evaluation): Criterion[] {
  const { acceptTests } = proofOptions(project, NO_TASK);
  const sources = { checks: project.plan.checks, acceptTests, written: [], writtenFiles: [] };
  return decideCriteria(criteriaOf(baseline, sources), now).filter(({ source }) => source !== 'check');
}

function openSessionJudge(
  project: Project,
  { session, snapshots, carried, emit }: SessionContext,
): Promise<Judge> {
  return openJudge(project, {
    ...{ snapshots, carried },
    loopId: session.loop_id,
    base: session.base_tree,
    task: '',
    mayStandStill: true,
    watchedSince: watchedSince(project, session),
    emit,
  });
}

/** Installed packages are watched since the start, unless the package manager has run since. */
function watchedSince({ repository, plan }: Project, session: GateSession): number | undefined {
  if (session.installed === undefined) return undefined;
  const isSame = installedStamp(repository.root, foldersOf(plan)) === session.installed;
  return isSame ? Date.parse(session.started_at) : undefined;
}

async function baselineOf(judge: Judge, project: Project, context: SessionContext): Promise<Evaluation> {
  const { session, store, signal, emit } = context;
  const setup = `${setupKey(project)} ${session.base_tree}`;
  const alike = store.list().filter((one) => one.base_tree === session.base_tree);
  const stored = [session, ...alike]
    .map((one) => store.readEvaluation(one.session, 'baseline'))
    .find((one) => one?.setup === setup);
  if (stored !== undefined) return stored.evaluation;
  const { workspace } = judge;
  emit({ type: 'progress', text: 'running the checks on the files of the start' });
  await workspace.restore(workspace.base);
  const baseline = await judge.evaluateBase({ setAside: 'always', signal });
  signal.throwIfAborted();
  refuseCommands(baseline, project.plan.checks);
  throwIfUnrunnable(baseline);
  refuseTestFiles(baseline, { proof: proofOptions(project, NO_TASK) });
  await store.writeEvaluation(session.session, 'baseline', { setup, evaluation: baseline });
  return baseline;
}
