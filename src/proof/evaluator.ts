import { requestFor } from '../checks/requests.ts';
import { summarise } from '../checks/score/evaluation.ts';
import type { ScoredReport } from '../checks/score/reward.ts';
import { createSuite, type Suite, type SuiteOptions } from '../checks/suite.ts';
import type { Evaluator, PristineTree } from '../ports.ts';
import type { EvaluationRequest } from '../ports/evaluation.ts';
import type { TreeId } from '../ports/tree.ts';
import type { Evaluation } from '../schema/generated.ts';
import { comparedWith } from './compared-with.ts';
import {
  addsToChecks,
  isGreen,
  isPartlyConfirmed,
  runAdded,
  runConfirmation,
  withConfirmation,
} from './test-command.ts';
import type { Aside } from './verify/aside.ts';
import { onceTestsPass, type OnCheckDone } from './verify/once-tests-pass.ts';
import { isQuick } from './verify/quick-runs.ts';
import { verifyEvaluation } from './verify/index.ts';
import { auditedOnce, isCandidate, type Verification } from './verify/verification.ts';

/** Options of an evaluator. */
export interface EvaluatorOptions extends SuiteOptions {
  /** Accept failures of the baseline, but require an improvement and no regression. */
  readonly noRegressions: boolean;
  /** With `noRegressions`: require no improvement. Default false. */
  readonly mayStandStill?: boolean | undefined;
  /** Command line of the held-out checks, which the actor never sees. */
  readonly holdout?: string | undefined;
  /**
   * Makes a checkout of a tree, in which a candidate is confirmed, and another one for the held-out checks; absent: both
   * happen where it lies. The files in `without` are left out. A second one can be made beside the first.
   */
  readonly pristine?:
    ((tree: TreeId, without?: readonly string[], isSecond?: boolean) => Promise<PristineTree>) | undefined;
  /** Programs in two checkouts share no port and no folder, so that they can run at once. Default false. */
  readonly areApart?: boolean | undefined;
}

/**
 * The evaluator of a project. It runs all checks and scores them against the baseline. Before a result is accepted,
 * the checks run uncached and the repository's own test command runs once, in a checkout of what would be delivered. A
 * result that passes is then verified: tampering, files that are no longer checked, canaries, held-out checks. Never rejects for what the checked code
 * does.
 */
export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const suite = createSuite(options);
  return { evaluate: (request) => evaluate(options, suite, request) };
}

async function evaluate(
  options: EvaluatorOptions,
  suite: Suite,
  request: EvaluationRequest,
): Promise<Evaluation> {
  const checkout = lazyCheckout(options, request);
  const second = oneCheckout(() => options.pristine!(request.tree!, writtenByBase(request), true));
  try {
    return await judge(options, suite, { request, checkout, second });
  } finally {
    await Promise.all([checkout.close(), second.close()]);
  }
}

interface Judging {
  readonly request: EvaluationRequest;
  readonly checkout: LazyCheckout;
  /** Another checkout of the tree, beside the first. */
  readonly second: OneCheckout;
}

async function judge(
  options: EvaluatorOptions,
  suite: Suite,
  { request, checkout, second }: Judging,
): Promise<Evaluation> {
  const started = performance.now();
  const since = Date.now();
  const evaluation = auditedOnce(request);
  const verification = (reports: readonly ScoredReport[]): Verification => ({
    plan: options.plan,
    checks: options.checks,
    ids: suite.ids,
    evaluation,
    since,
    request: { ...requestFor(options, request), fresh: true },
    reports,
    holdout: options.holdout,
    sandbox: options.sandbox,
    openPristine: checkout.open,
    openUnused: async () =>
      request.tree === undefined ? undefined : options.pristine?.(request.tree, writtenByBase(request)),
  });
  let aside: Aside | undefined;
  let audited: Promise<unknown> | undefined;
  const onGreen = async (scored: readonly ScoredReport[]): Promise<void> => {
    // The checks have ended in the workspace, and the test command runs elsewhere.
    audited = evaluation.audit?.(since).catch(() => {});
    const { startAside } = await import('./verify/aside.ts');
    aside = startAside(request.baseline!, verification(scored), second.open);
  };
  // Both are made beside the other checks as soon as the tests have passed, where these are short; then the modules of the proofs
  // are loaded.
  const isEarly = mayRunAside(options, request) && areShort(request.baseline!);
  const openBoth = (): unknown =>
    Promise.all([checkout.open(), second.open()])
      .then(loadProofs)
      .catch(() => {});
  const onDone = isEarly ? onceTestsPass(options.checks, openBoth) : undefined;
  try {
    const reports = await runConfirmed(options, suite, { request, checkout, onGreen, onDone });
    const stored = request.baseline === undefined ? reports : reports.map(withoutFiles);
    const result = summarise(stored, {
      weightOf: (name) => options.plan.checks.find((plan) => plan.name === name)?.weight ?? 0,
      baseline: request.baseline,
      previous: request.previous,
      noRegressions: options.noRegressions,
      mayStandStill: options.mayStandStill,
      durationMs: 0,
    });
    // The checkout is then none in which the whole test script has run: all proofs are made one after another.
    const isPartly = isPartlyConfirmed(reports);
    if (isPartly) await aside?.ended;
    const own = isPartly ? undefined : aside;
    const verified = await verifyEvaluation(result, { ...verification(reports), aside: own });
    const delta = comparedWith(request, verified);
    return { ...verified, delta, duration_ms: Math.round(performance.now() - started) };
  } finally {
    // Nothing may still read or run when the workspace gets another tree.
    await Promise.all([audited, aside?.ended]);
  }
}

/** Whether runs of the proof may be made in a second checkout at the same time. */
function mayRunAside(
  { areApart = false, pristine, sandbox }: EvaluatorOptions,
  { tree, baseline, ...request }: EvaluationRequest,
): boolean {
  const isPossible = areApart && pristine !== undefined && sandbox !== undefined;
  return isPossible && tree !== undefined && baseline !== undefined && isCandidate(request);
}

function areShort({ passed, checks, tests }: Evaluation): boolean {
  return !passed && checks.every((check) => check.kind !== 'tests' || isQuick(check, tests));
}

/** Loads what the proofs of every repair need. */
async function loadProofs(): Promise<void> {
  await import('./verify/aside.ts');
  await import('./canaries/canary-in-place.ts');
  await import('./verify/in-runs.ts');
  await import('./surroundings/index.ts');
  await import('./replay/index.ts');
  await import('./unasked/index.ts');
}

async function runConfirmed(
  options: EvaluatorOptions,
  suite: Suite,
  {
    request,
    checkout,
    onGreen,
    onDone,
  }: Omit<Judging, 'second'> & { readonly onGreen: OnGreen; readonly onDone: OnCheckDone | undefined },
): Promise<readonly ScoredReport[]> {
  const confirmation = () => runConfirmation(options, request, checkout.open, checkout.openBase);
  // Without a sandbox and a checkout, two runs at once would share ports and folders.
  const isApart = options.sandbox !== undefined && options.pristine !== undefined;
  if (request.isOwn !== true || !isApart || !addsToChecks(options)) {
    const scored = await suite.run(request, undefined, onDone);
    if (!request.confirm || !isGreen(scored)) return scored;
    if (mayRunAside(options, request)) await onGreen(scored);
    return withConfirmation(scored, await confirmation(), request.root);
  }
  const added = runAdded(options, request, checkout.open);
  const [scored, confirmed] = await Promise.all([suite.run(request, added), added]);
  // A failure beside other runs may have no other cause than lack of time: the failed side runs again, alone and whole.
  if (isGreen(scored)) {
    const again = confirmed.failure === undefined ? confirmed : await confirmation();
    return withConfirmation(scored, again, request.root);
  }
  const { steps, observedSteps = steps } = options.plan.testCommand ?? {};
  const hasRunTwice = observedSteps === undefined;
  return hasRunTwice && confirmed.failure === undefined
    ? suite.run({ ...request, isUncached: true })
    : scored;
}

/** Called with reports that are all green, before the test command confirms them. */
type OnGreen = (scored: readonly ScoredReport[]) => Promise<void>;

interface LazyCheckout {
  /** Undefined if the tree is confirmed where it lies. */
  open(): Promise<PristineTree | undefined>;
  /** A checkout of the tree before any change, which closes the other one; undefined where none can be made. */
  openBase(): Promise<PristineTree | undefined>;
  close(): Promise<void>;
}

/** The checkout of an actor's tree that is about to be accepted, made on first use; one at a time. */
function lazyCheckout({ pristine }: EvaluatorOptions, request: EvaluationRequest): LazyCheckout {
  const { tree, baseTree, confirm, refused, isOwn } = request;
  let opened: (OneCheckout & { readonly of: TreeId }) | undefined;
  const isOpened = confirm && (refused !== undefined || isOwn === true);
  const open = async (of: TreeId | undefined): Promise<PristineTree | undefined> => {
    if (pristine === undefined || of === undefined || !isOpened) return undefined;
    if (opened?.of !== of) {
      const last = opened;
      const made = oneCheckout(async () => {
        await last?.close();
        return pristine(of, of === tree ? writtenByBase(request) : []);
      });
      opened = { ...made, of };
    }
    return opened.open();
  };
  return {
    open: () => open(tree),
    openBase: () => open(baseTree),
    close: async () => opened?.close(),
  };
}

/** Files that the checks write where the base has none: a checkout of the tree is made without them. */
function writtenByBase({ baseline }: EvaluationRequest): readonly string[] {
  return baseline?.written_files ?? [];
}

interface OneCheckout {
  open(): Promise<PristineTree>;
  /** Removes it, once it is made. */
  close(): Promise<void>;
}

/** A checkout that is made on first use, once. */
function oneCheckout(make: () => Promise<PristineTree>): OneCheckout {
  let made: Promise<PristineTree> | undefined;
  return {
    open: () => (made ??= make()),
    close: async () => (await made?.catch(() => undefined))?.close(),
  };
}

/** Only the baseline stores the names of the checked files: later evaluations are compared with them. */
function withoutFiles({ checked_files: _, ...report }: ScoredReport): ScoredReport {
  return report;
}
