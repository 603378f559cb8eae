import type { RunEvent } from '../events.ts';
import type { Evaluation, Tampering } from '../schema/generated.ts';
import type { Evaluator, Guard, StrengthMeter } from '../ports.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { TreeId } from '../ports/tree.ts';
import { createEvaluator } from '../proof/evaluator.ts';
import { createStrengthMeter } from '../proof/strength/strength-meter.ts';
import { namedByGitSettings } from '../workspace/protect/git-settings.ts';
import { createGuard } from '../workspace/protect/guard.ts';
import { judgesOf } from '../workspace/protect/judges.ts';
import { checkEvents } from './check-events.ts';
import type { Project } from './project.ts';
import { NO_TASK, proofOptions } from './loop/task-proof.ts';
import { openWorkbench, type Workbench, type WorkbenchRequest } from './workbench.ts';

/** The judge of a change outside of a loop: a workspace with the checks, the proofs and the guard of one. */
export interface Judge extends Pick<Workbench, 'workspace' | 'snapshots' | 'warnings'> {
  readonly evaluator: Evaluator;
  readonly guard: Guard;
  readonly strength: StrengthMeter;
  /** Programs that it runs share no port and no folder with others. */
  readonly isApart: boolean;
  /** Evaluates the tree before the change. */
  evaluateBase(how: Pick<EvaluationRequest, 'setAside' | 'signal'>): Promise<Evaluation>;
  /** From now on the test files of the baseline are protected, whatever their names are. */
  noteBaseline(baseline: Evaluation): void;
  /** Evaluates a tree that lies in the workspace, as a loop does before it accepts one. */
  evaluateCandidate(
    tree: TreeId,
    how: Pick<
      EvaluationRequest,
      'baseline' | 'previous' | 'doubted' | 'mayBeFlaky' | 'redByChance' | 'signal'
    > & {
      readonly refused: readonly Tampering[];
    },
  ): Promise<Evaluation>;
}

export interface JudgeRequest extends Pick<WorkbenchRequest, 'loopId' | 'base' | 'snapshots' | 'carried'> {
  readonly task: string;
  /** A change need not improve anything. Default false. */
  readonly mayStandStill?: boolean;
  /** Installed packages must not have changed since this time, in milliseconds since the epoch. Default: now. */
  readonly watchedSince?: number | undefined;
  /** Nothing that edits the tree can write installed packages. Default false. */
  readonly isConfined?: boolean;
  /** Packages may be added to package.json and the lock file. Default false. */
  readonly mayAddPackages?: boolean;
  readonly emit: (event: RunEvent) => void;
}

/** Opens a judge. Throws RalphError where no workspace can be opened. */
export async function openJudge(project: Project, request: JudgeRequest): Promise<Judge> {
  const { repository, settings, plan } = project;
  const {
    loopId,
    base,
    snapshots: opened,
    carried,
    task,
    mayStandStill,
    watchedSince,
    isConfined,
    mayAddPackages,
    emit,
  } = request;
  const place = { loopId, base, snapshots: opened, carried };
  const workbench = await openWorkbench(project, { ...place, hasActor: true });
  const { workspace, snapshots, suite, warnings } = workbench;
  const { acceptTests } = proofOptions(project, NO_TASK);
  let testFiles: readonly string[] = [];
  const guard = createGuard({
    snapshots,
    workspace,
    protect: [...settings.protect, ...(await namedByGitSettings(repository.root))],
    allow: settings.allow,
    checks: plan.checks,
    judges: judgesOf(plan, task),
    repository: repository.root,
    watchedSince,
    isConfined: isConfined === true && suite.sandbox !== undefined,
    mayAddPackages,
    testFiles: () => testFiles,
  });
  const evaluator = createEvaluator({ ...suite, mayStandStill, ...checkEvents(emit) });
  const { root } = workspace;
  const audit = (tree: TreeId): EvaluationRequest['audit'] =>
    guard.audit && ((since) => guard.audit!(tree, since));
  return {
    ...{ workspace, snapshots, warnings, evaluator, guard },
    strength: createStrengthMeter(suite),
    isApart: suite.areApart === true && suite.sandbox !== undefined,
    evaluateBase(how) {
      guard.prepare?.();
      return evaluator.evaluate({
        ...{ root, tree: workspace.base, baseTree: workspace.base, confirm: false },
        isEarlier: true,
        audit: audit(workspace.base),
        ...how,
      });
    },
    noteBaseline({ tests }) {
      const own = acceptTests.map(({ file }) => file);
      testFiles = [...new Set([...tests.flatMap(({ file }) => file ?? []), ...own])];
    },
    evaluateCandidate: (tree, how) =>
      evaluator.evaluate({
        ...{ root, tree, baseTree: workspace.base, confirm: true },
        audit: audit(tree),
        ...how,
      }),
  };
}
