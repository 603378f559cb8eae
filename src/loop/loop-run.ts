import type { ChangeSet, TreeId } from '../ports/tree.ts';
import type { Criterion, Evaluation, LoopStatus, Verdict } from '../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../schema/usage.ts';
import type { Attempt } from './attempt.ts';
import type { EvaluateStep } from './evaluate.ts';
import { abortedError, TimeOver } from './loop-errors.ts';
import type { LoopOptions, LoopPorts } from './options.ts';
import type { DecidableCriterion } from './proof/criteria.ts';
import { Spending } from './spending.ts';
import { loopState } from './state.ts';
import { stopReason, type Progress } from './stop.ts';

/** A tree and its evaluation. */
export interface EvaluatedTree {
  readonly tree: TreeId;
  readonly evaluation: Evaluation;
  /** The attempt that left the tree, 1-based; 0 or absent: the base. */
  readonly iteration?: number;
}

/** The tree that attempts start from, and what decides whether the task is done. */
export interface ProofBase {
  /** The user's tree with the tests that were written for the task. */
  readonly tree: TreeId;
  readonly criteria: readonly DecidableCriterion[];
  /** Criteria of the tests that were written for the task, and their files. */
  readonly written: readonly Criterion[];
  readonly writtenFiles: readonly string[];
  /** Requirements of the task that no test covers. */
  readonly uncovered: readonly string[];
}

/** Evaluations of a passing attempt: with caches and without, and by the repository's own command. */
const EVALUATIONS = 3;
/** Time to start programs around them: wrong expected values, repetitions, calls outside of the test runner. */
const STARTS_MS = 15_000;

/** One running loop: the state that its steps share. */
export class LoopRun {
  readonly ports: LoopPorts;
  readonly options: LoopOptions;
  readonly spending: Spending;
  /** Aborts when the user stops the loop, at once or not. */
  readonly stop: AbortSignal;
  /** Aborts when the user stops the loop, or when its time is over. */
  readonly signal: AbortSignal;
  /** The attempt that the actor has made and the checks have not judged yet. */
  unjudged: (EvaluateStep & { readonly changes?: ChangeSet }) | undefined;
  /** The step that the end of the time cut off, as a noun; undefined if none was. */
  cutOff: string | undefined;
  /** Every evaluated attempt so far; the attempt at index 0 is iteration 1. */
  readonly attempts: Attempt[] = [];
  /** Paths of the stored reflections, relative to the repository's root. */
  readonly reflections: string[] = [];
  /** Ids of the tests that failed again on the untouched tree after an attempt that passes, by its iteration. */
  readonly redAgain = new Map<number, ReadonlySet<string>>();
  /** Evaluation of the tree that attempts start from; assigned by the first step. */
  baseline!: Evaluation;
  proofBase: ProofBase;
  /** The tree that the workspace holds; undefined if checks may have written files into it. */
  #current: TreeId | undefined;
  /** The tree whose files checks have left as they are. */
  #left: TreeId | undefined;

  constructor(ports: LoopPorts, options: LoopOptions) {
    this.ports = ports;
    this.options = options;
    this.stop = stopOf(options);
    this.signal = signalOf(options, this.stop);
    this.spending = new Spending(options, this.attempts, () =>
      sumUsage([ports.experience?.spent ?? NO_USAGE, this.unjudged?.acted.trajectory.usage ?? NO_USAGE]),
    );
    const { base } = ports.workspace;
    this.proofBase = { tree: base, criteria: [], written: [], writtenFiles: [], uncovered: [] };
    this.#current = options.resumed ? undefined : ports.workspace.base;
  }

  /** The best attempt so far; undefined if none was better than the baseline. */
  get best(): Attempt | undefined {
    return this.attempts.findLast(({ best }) => best);
  }

  /** False until the first evaluation has ended. */
  get hasBaseline(): boolean {
    return (this.baseline as Evaluation | undefined) !== undefined;
  }

  /** Tests that were written for the task and are not delivered, relative to the root. */
  get leftOut(): readonly string[] {
    return this.options.proof.keepTests ? [] : this.proofBase.writtenFiles;
  }

  /** The tree that a result is a patch of: it has the tests that are not delivered. */
  get patchBase(): TreeId {
    return this.leftOut.length === 0 ? this.ports.workspace.base : this.proofBase.tree;
  }

  /** The tree that the next attempt starts from, as the option `retryFrom` says. */
  nextStart(): EvaluatedTree {
    const base = { tree: this.proofBase.tree, evaluation: this.baseline };
    const { retryFrom } = this.options;
    if (retryFrom === 'base') return base;
    return (retryFrom === 'last' ? this.attempts.at(-1) : this.best) ?? base;
  }

  /** Budgets, and what is used of them. */
  get progress(): Omit<Progress, 'maxIterations' | 'stopRequested'> {
    return { ...this.spending.progress, evaluationMs: this.evaluationMs };
  }

  /** Estimated time to evaluate an attempt that passes, in milliseconds. */
  get evaluationMs(): number {
    return this.baseline.duration_ms * EVALUATIONS + STARTS_MS;
  }

  /** Why the loop ends now; undefined if it continues. */
  stopReason(): LoopStatus | undefined {
    const { maxIterations, stopOnStall, stopRequested } = this.options;
    return stopReason({ ...this.progress, maxIterations, stopOnStall, stopRequested: stopRequested() });
  }

  /** Makes the workspace hold a tree. */
  async moveTo(tree: TreeId): Promise<void> {
    const { workspace } = this.ports;
    if (this.#left === tree && workspace.repair !== undefined) workspace.repair();
    else if (this.#current !== tree) await workspace.restore(tree);
    this.#current = tree;
    this.#left = undefined;
  }

  /**
   * True if nothing changes the workspace unless this loop does: it is a copy, and the programs that have run in it ended
   * with their sandbox.
   */
  get isClosedOff(): boolean {
    return this.ports.workspace.isCopy === true && this.ports.sandbox !== undefined;
  }

  /** To be called after checks that left the files of this tree as they are; they may have written ignored files. */
  noteLeft(tree: TreeId): void {
    if (this.isClosedOff) this.#left = tree;
  }

  /** To be called if no check ran after `moveToForChecks`. */
  noteUnused(tree: TreeId): void {
    this.#current = tree;
  }

  /** Stores what the workspace holds after an actor has edited it. */
  async checkpoint(): Promise<TreeId> {
    const examined = this.isClosedOff ? this.ports.guard.examined?.() : undefined;
    const tree = examined ?? (await this.ports.workspace.checkpoint());
    this.#current = tree;
    return tree;
  }

  /** Makes the workspace hold a tree for checks or an actor, which may write files into it. */
  async moveToForChecks(tree: TreeId): Promise<void> {
    await this.moveTo(tree);
    this.#current = undefined;
  }

  /** Time that is left, in milliseconds; infinite without a limit. */
  get restMs(): number {
    return Math.max(0, (this.options.maxTimeMs ?? Infinity) - this.spending.elapsedMs);
  }

  /** Throws if the user has stopped the loop, or TimeOver if its time is over. `step`: what was cut off, as a noun. */
  throwIfOver(step: string): void {
    this.throwIfAborted();
    if (this.signal.aborted) throw new TimeOver(step);
  }

  /** Throws if the user has stopped the loop. */
  throwIfAborted(): void {
    if (this.stop.aborted) throw abortedError(this.ports.store.loopId);
  }

  /** Throws if the user has stopped the loop and does not wait for running attempts. */
  throwIfKilled(): void {
    if (this.options.signal.aborted) throw abortedError(this.ports.store.loopId);
  }

  /** Saves the state that `ralph list` and `ralph status` show. */
  async saveState(status: LoopStatus | 'running', verdict?: Verdict): Promise<void> {
    const { actor, store, workspace } = this.ports;
    const { task, maxIterations, settings, startedAt } = this.options;
    const state = loopState({
      loopId: store.loopId,
      task,
      status,
      actor: actor.name,
      startedAt,
      iteration: this.attempts.length,
      maxIterations,
      reward: (this.best?.evaluation ?? this.baseline).reward,
      baselineReward: this.baseline.reward,
      baseTree: workspace.base,
      bestTree: this.best?.tree,
      leftOut: this.leftOut,
      settings,
      verdict,
    });
    await store.saveState(state);
  }
}

/** Longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1;

function stopOf({ signal, stop }: LoopOptions): AbortSignal {
  return stop === undefined ? signal : AbortSignal.any([signal, stop]);
}

function signalOf({ maxTimeMs }: LoopOptions, stop: AbortSignal): AbortSignal {
  if (maxTimeMs === undefined || maxTimeMs > MAX_DELAY_MS) return stop;
  return AbortSignal.any([stop, AbortSignal.timeout(Math.ceil(maxTimeMs))]);
}
