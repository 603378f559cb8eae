import type { EvaluationRequest, TreeAudit } from '../ports/evaluation.ts';
import type { TreeId } from '../ports/tree.ts';
import type { CheckResult, Evaluation } from '../schema/generated.ts';
import { attemptFile } from '../platform/ralph-folder.ts';
import type { ActedStep } from './act.ts';
import { refuseCommands } from './proof/refuse-unprovable.ts';
import { throwIfUnrunnable } from './loop-errors.ts';
import type { EvaluatedTree, LoopRun } from './loop-run.ts';
import { cannotBeUndone, foundByChecks } from './tampering.ts';

const BASELINE = 'the baseline';

/** Evaluates the untouched tree, twice if it passes. Throws RalphError if a check cannot run. */
export async function evaluateBaseline(loop: LoopRun): Promise<void> {
  const { store, emit, workspace } = loop.ports;
  const { base } = workspace;
  emit({ type: 'baseline_started' });
  loop.ports.guard.prepare?.();
  const setAside = loop.options.proof.hasTask ? 'always' : 'beside_failures';
  const evaluate = () => judge(loop, base, { step: BASELINE, confirm: false, setAside });
  const fast = await store.step('baseline', evaluate, { artifact: 'baseline.json' });
  for (const text of setAsideIn(fast)) emit({ type: 'warning', text });
  refuseCommands(fast, loop.options.project.checks);
  throwIfUnrunnable(fast);
  const confirm = async (): Promise<Evaluation> => {
    const confirmed = await judge(loop, base, { step: BASELINE, confirm: true, baseline: fast });
    return { ...confirmed, duration_ms: fast.duration_ms + confirmed.duration_ms };
  };
  loop.baseline = fast.passed
    ? await store.step('baseline:confirm', confirm, { artifact: 'baseline-confirmed.json' })
    : fast;
  emit({ type: 'baseline_evaluated', evaluation: loop.baseline });
  await loop.saveState('running');
}

/** Evaluates the untouched tree once more, with the repository's own test command. */
export function evaluateUntouched(loop: LoopRun): Promise<Evaluation> {
  const { baseline } = loop;
  const step = 'the second run on the untouched tree';
  return judge(loop, loop.ports.workspace.base, { step, confirm: true, baseline });
}

/** Sentences on the checks that were set aside: type checks and linters are skipped for no other reason. */
function setAsideIn({ checks }: Evaluation): string[] {
  return checks
    .filter(({ kind, status }) => status === 'skip' && (kind === 'types' || kind === 'lint'))
    .map(({ detail }) => detail);
}

/** Evaluates the base with the tests that were written for the task; this becomes the baseline. */
export async function evaluateProofBase(loop: LoopRun, tree: TreeId): Promise<void> {
  loop.baseline = await loop.ports.store.step(
    'acceptance:evaluate',
    () =>
      judge(loop, tree, {
        step: 'the evaluation of the acceptance tests',
        confirm: false,
        setAside: 'always',
      }),
    { artifact: 'baseline-acceptance.json' },
  );
  throwIfUnrunnable(loop.baseline);
  await loop.saveState('running');
}

export interface EvaluateStep {
  /** 1-based. */
  readonly iteration: number;
  readonly start: EvaluatedTree;
  readonly acted: ActedStep;
}

/** Evaluates the tree of an attempt; if it passes, evaluates it again without caches and returns that result. */
export async function evaluateAttempt(loop: LoopRun, step: EvaluateStep): Promise<Evaluation> {
  const { emit, store, workspace } = loop.ports;
  const { iteration, start, acted } = step;
  const refused = acted.tampering.filter(cannotBeUndone);
  const evaluate = async (confirm: boolean): Promise<Evaluation> => {
    emit({ type: 'evaluation_started', iteration, confirm });
    const { baseline } = loop;
    const step = `the evaluation of attempt ${iteration}`;
    const { files: changed, patch } = await workspace.changes(start.tree, acted.tree);
    const previous = start.evaluation;
    // A resumed loop may be old.
    const isSameTree = changed.length === 0 && loop.isClosedOff && !loop.options.resumed;
    const how = { confirm, baseline, previous, refused, changed, patch, isSameTree };
    return judge(loop, acted.tree, { step, ...how });
  };
  const fast = await store.step(`${iteration}:evaluate`, () => evaluate(false), {
    artifact: attemptFile(iteration, 'evaluation.json'),
  });
  const last = fast.passed
    ? await store.step(`${iteration}:confirm`, () => evaluate(true), {
        artifact: attemptFile(iteration, 'evaluation-confirmed.json'),
      })
    : fast;
  const tampering = foundByChecks(last, acted.tampering);
  if (tampering.length > 0) emit({ type: 'tampering_found', iteration, tampering });
  return last;
}

/** Evaluates the tree of a passing attempt with additional tests, without caches. */
export function evaluateStrengthened(
  loop: LoopRun,
  {
    iteration,
    tree,
    previous,
  }: { readonly iteration: number; readonly tree: TreeId; readonly previous: Evaluation },
): Promise<Evaluation> {
  const { baseline } = loop;
  return loop.ports.store.step(`${iteration}:strengthen:evaluate`, () =>
    judge(loop, tree, { step: 'the evaluation of added tests', confirm: true, baseline, previous }),
  );
}

interface How extends Pick<
  EvaluationRequest,
  'confirm' | 'setAside' | 'baseline' | 'previous' | 'refused' | 'changed' | 'patch' | 'isSameTree'
> {
  /** The step in words, as a noun. */
  readonly step: string;
}

async function judge(loop: LoopRun, tree: TreeId, { step, ...how }: How): Promise<Evaluation> {
  const { evaluator, guard, workspace } = loop.ports;
  await loop.moveToForChecks(tree);
  let isLeft = false;
  const audit = async (since?: number): Promise<TreeAudit> => {
    const found = await guard.audit!(tree, since);
    isLeft = found.isSame;
    return found;
  };
  const evaluation = await evaluator.evaluate({
    root: workspace.root,
    tree,
    baseTree: loop.proofBase.tree,
    ...how,
    audit: guard.audit && audit,
    signal: loop.signal,
  });
  loop.throwIfOver(step);
  // Only of the untouched tree nothing runs after the audit, and no other tree hides files from it.
  if (isLeft && how.baseline === undefined && tree === workspace.base) loop.noteLeft(tree);
  if (how.isSameTree === true && evaluation.checks.every(didNotRun)) loop.noteUnused(tree);
  return evaluation;
}

/** True for results that were all taken over from an earlier evaluation. */
function didNotRun({ duration_ms: duration, reused }: CheckResult): boolean {
  return duration === 0 && reused !== undefined;
}
