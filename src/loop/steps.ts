import type { AttemptContext, ChangeSet, EvaluationRequest, MemoryContext, TreeId } from '../ports.ts';
import type { Evaluation, LoopStatus, Reflection, Tampering, Verdict } from '../schema/generated.ts';
import { NO_USAGE } from '../schema/usage.ts';
import { attemptWith, withMemory, type Attempted } from './act.ts';
import { completeTrajectory, isBetter, type Attempt } from './attempt.ts';
import { abortedError, throwIfUnrunnable } from './impossible.ts';
import type { LoopOptions, LoopPorts } from './options.ts';
import { reflectAndRemember, windowBefore, type MemoryUse, type ReflectRequest } from './remember.ts';
import { Spending } from './spending.ts';
import { foundByChecks, isStanding } from './standing.ts';
import { loopState } from './state.ts';
import { spentBudget, stopReason } from './stop.ts';
import { trajectoryLines } from './trajectory.ts';
import { loopVerdict } from './verdict.ts';

/** A tree, and what the evaluator saw of it. */
export interface Judged {
  readonly tree: TreeId;
  readonly evaluation: Evaluation;
}

/** What the actor's step left behind; one journal record. */
export interface Acted extends Attempted {
  readonly tampering: readonly Tampering[];
  readonly tree: TreeId;
  readonly durationMs: number;
}

/** The steps of one loop, and what they share: what was tried, what was best, what the workspace holds. */
export class LoopSteps {
  readonly attempts: Attempt[] = [];
  readonly #ports: LoopPorts;
  readonly #options: LoopOptions;
  readonly #spending: Spending;
  readonly #reflections: string[] = [];
  #baseline!: Evaluation;
  /** What the workspace holds for certain; undefined once checks may have left products in it. */
  #current: TreeId | undefined;

  constructor(ports: LoopPorts, options: LoopOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#spending = new Spending(options, this.attempts, () => ports.experience?.spent ?? NO_USAGE);
    this.#current = options.resumed ? undefined : ports.workspace.base;
  }

  async evaluateBaseline(): Promise<Evaluation> {
    const { store, emit, workspace } = this.#ports;
    emit({ type: 'baseline_started' });
    const judge = (confirm: boolean, baseline?: Evaluation): Promise<Evaluation> =>
      this.#judge(workspace.base, { confirm, baseline });
    const fast = await store.step('baseline', () => judge(false), { artifact: 'baseline.json' });
    throwIfUnrunnable(fast);
    const confirmed = { artifact: 'baseline-confirmed.json' };
    this.#baseline = fast.passed
      ? await store.step('baseline:confirm', () => judge(true, fast), confirmed)
      : fast;
    emit({ type: 'baseline_evaluated', evaluation: this.#baseline });
    await this.#saveState('running');
    return this.#baseline;
  }

  /** What the next attempt goes on from. */
  startOfNext(): Judged {
    const base = { tree: this.#ports.workspace.base, evaluation: this.#baseline };
    const { retryFrom } = this.#options;
    if (retryFrom === 'base') return base;
    return (retryFrom === 'last' ? this.attempts.at(-1) : this.#best()) ?? base;
  }

  /** Reflections of earlier attempts that go into this one; empty for the strategies that tell none. */
  async window(iteration: number, { evaluation }: Judged): Promise<readonly Reflection[]> {
    if (!this.#options.strategy.includes('reflexion')) return [];
    return windowBefore(iteration, evaluation, this.#memory());
  }

  async act(request: { iteration: number; start: Judged; window: readonly Reflection[] }): Promise<Acted> {
    const { emit, store } = this.#ports;
    const { iteration, window } = request;
    emit({
      type: 'attempt_started',
      iteration,
      window: window.flatMap((told) => (told.loop_id === store.loopId ? [told.iteration + 1] : [])),
    });
    const finished = store.finishedSteps;
    const { fatal, ...acted } = await store.step(`${iteration}:act`, () => this.#act(request));
    // What ended the loop before it was resumed may be mended since.
    const isNew = store.finishedSteps > finished;
    emit({ type: 'actor_finished', iteration, trajectory: acted.trajectory });
    if (acted.tampering.length > 0) emit({ type: 'tampering_found', iteration, tampering: acted.tampering });
    return { ...acted, ...(isNew && fatal !== undefined && { fatal }) };
  }

  async evaluate(iteration: number, acted: Acted, previous: Evaluation): Promise<Evaluation> {
    const { emit, store } = this.#ports;
    const refused = acted.tampering.filter(isStanding);
    const judge = (confirm: boolean): Promise<Evaluation> => {
      emit({ type: 'evaluation_started', iteration, confirm });
      return this.#judge(acted.tree, { confirm, baseline: this.#baseline, previous, refused });
    };
    const artifact = (name: string): { artifact: string } => ({
      artifact: `${folderOf(iteration)}/${name}.json`,
    });
    const fast = await store.step(`${iteration}:evaluate`, () => judge(false), artifact('evaluation'));
    const last = fast.passed
      ? await store.step(`${iteration}:confirm`, () => judge(true), artifact('evaluation-confirmed'))
      : fast;
    const tampering = foundByChecks(last, acted.tampering);
    if (tampering.length > 0) emit({ type: 'tampering_found', iteration, tampering });
    return last;
  }

  async record(result: {
    iteration: number;
    acted: Acted;
    evaluation: Evaluation;
    start: Judged;
  }): Promise<Attempt> {
    const { iteration, acted, evaluation, start } = result;
    const { emit, workspace } = this.#ports;
    const changes = await workspace.changes(start.tree, acted.tree);
    const total =
      start.tree === workspace.base ? changes : await workspace.changes(workspace.base, acted.tree);
    const accepted = evaluation.passed && (total.files.length > 0 || !this.#options.requireChange);
    const attempt: Attempt = {
      iteration,
      trajectory: completeTrajectory(acted.trajectory, changes),
      tampering: [...acted.tampering, ...foundByChecks(evaluation, acted.tampering)],
      tree: acted.tree,
      changes,
      evaluation,
      best: accepted || isBetter(evaluation, this.#best()?.evaluation ?? this.#baseline),
      accepted,
      durationMs: acted.durationMs + evaluation.duration_ms,
    };
    this.attempts.push(attempt);
    await this.#attach(attempt, total);
    const { linesAdded, linesDeleted } = changes;
    const filesChanged = changes.files.length;
    emit({
      type: 'attempt_evaluated',
      iteration,
      evaluation,
      best: attempt.best,
      filesChanged,
      linesAdded,
      linesDeleted,
      changed: total.files,
    });
    await this.#saveState('running');
    return attempt;
  }

  /** Gives the reflection as it is stored. */
  async reflect(request: ReflectRequest): Promise<Reflection | undefined> {
    const { emit, memory, store } = this.#ports;
    const { iteration } = request.attempt;
    const path = await store.step(`${iteration}:reflect`, () => reflectAndRemember(request, this.#memory()));
    this.#reflections.push(path);
    const reflection = (await memory.episodes(store.loopId)).find(
      (record) => record.iteration === iteration - 1,
    );
    if (reflection === undefined) return undefined;
    this.#spending.addReflection(reflection.reflector.usage ?? NO_USAGE);
    emit({ type: 'reflection_written', iteration, path, reflection });
    return reflection;
  }

  /** What was seen goes to long-term memory, once in the life of a loop. */
  async learn({
    attempt,
    previous,
    reflection,
  }: Pick<ReflectRequest, 'attempt' | 'previous'> & { reflection?: Reflection | undefined }): Promise<void> {
    const { experience, store } = this.#ports;
    if (experience === undefined) return;
    const { task, signal } = this.#options;
    const known = { loopId: store.loopId, task, signal, ...(reflection !== undefined && { reflection }) };
    await store.step(`${attempt.iteration}:learn`, async () => {
      await experience.learn({ ...attempt, previous, ...known });
      return experience.spent;
    });
  }

  /** Once behind each last attempt: a loop that goes on later has another. */
  async #conclude(status: LoopStatus): Promise<void> {
    const { experience, store } = this.#ports;
    if (experience === undefined) return;
    const { task, signal } = this.#options;
    const attempts = this.attempts.length;
    await store.step(`${attempts}:conclude`, async () => {
      await experience.conclude({ loopId: store.loopId, task, signal, status, attempts });
      return experience.spent;
    });
  }

  stopReason(): LoopStatus | undefined {
    const { maxIterations, stopRequested } = this.#options;
    return stopReason({ ...this.#spending.progress, maxIterations, stopRequested: stopRequested() });
  }

  mustPause(): boolean {
    return this.#options.stopRequested();
  }

  async finish(status: LoopStatus): Promise<Verdict> {
    const { delivery, emit, store } = this.#ports;
    const accepted = this.attempts.find((attempt) => attempt.accepted);
    const delivered =
      accepted === undefined
        ? undefined
        : await store.step('deliver', () => delivery.deliver(accepted.tree, this.#options.delivery));
    if (delivered === undefined) await this.#moveTo(this.#endTree());
    else emit({ type: 'delivered', outcome: delivered });
    await this.#conclude(status);
    const verdict = loopVerdict({
      loopId: store.loopId,
      status,
      attempts: this.attempts,
      baseline: this.#baseline,
      best: this.#best(),
      reflections: this.#reflections,
      delivered,
      durationMs: Math.round(this.#spending.elapsedMs),
      maxIterations: this.#options.maxIterations,
      usage: this.#spending.usage,
      spent: spentBudget(this.#spending.progress),
    });
    await this.#saveState(status, verdict);
    emit({ type: 'loop_finished', verdict });
    return verdict;
  }

  async #act({
    iteration,
    start,
    window,
  }: {
    iteration: number;
    start: Judged;
    window: readonly Reflection[];
  }): Promise<Acted> {
    const { actor, guard, workspace } = this.#ports;
    const started = performance.now();
    await this.#moveTo(start.tree);
    const memory = await this.#recall(iteration, start.evaluation);
    const context = { ...this.#context(iteration, start.evaluation, window), ...(memory && { memory }) };
    const attempted = withMemory(await attemptWith(actor, context), memory);
    this.#throwIfAborted();
    const tampering = await guard.restoreProtected();
    const tree = await workspace.checkpoint();
    this.#current = tree;
    return { ...attempted, tampering, tree, durationMs: Math.round(performance.now() - started) };
  }

  async #recall(iteration: number, evaluation: Evaluation): Promise<MemoryContext | undefined> {
    const { emit, experience, store } = this.#ports;
    const memory = await experience?.recall({ loopId: store.loopId, task: this.#options.task, evaluation });
    if (memory === undefined) return undefined;
    const { lessons, insights, playbook } = memory;
    const told = { lessons, insights: insights.length, playbook: playbook !== undefined };
    emit({ type: 'memory_recalled', iteration, ...told });
    return memory;
  }

  #context(iteration: number, evaluation: Evaluation, reflections: readonly Reflection[]): AttemptContext {
    const { bench, emit, sandbox, store, workspace } = this.#ports;
    const last = this.attempts.at(-1);
    const tellsLast = this.#options.strategy.includes('last-attempt') && last !== undefined;
    return {
      loopId: store.loopId,
      iteration,
      task: this.#options.task,
      root: workspace.root,
      project: this.#options.project,
      guidance: this.#options.guidance,
      evaluation,
      reflections,
      ...(tellsLast ? { lastAttempt: { trajectory: last.trajectory, patch: last.changes.patch } } : {}),
      bench,
      sandbox,
      signal: this.#actorSignal(),
      onProgress: (text) => emit({ type: 'progress', text }),
      onWork: emit,
    };
  }

  async #judge(
    tree: TreeId,
    how: Pick<EvaluationRequest, 'confirm' | 'previous' | 'refused'> & { baseline?: Evaluation | undefined },
  ): Promise<Evaluation> {
    const { evaluator, guard, workspace } = this.#ports;
    await this.#moveTo(tree);
    this.#current = undefined;
    const evaluation = await evaluator.evaluate({
      root: workspace.root,
      tree,
      ...how,
      ...(guard.audit && { audit: () => guard.audit!(tree) }),
      signal: this.#options.signal,
    });
    this.#throwIfAborted();
    return evaluation;
  }

  #memory(): MemoryUse {
    const { emit, memory, reflector, store } = this.#ports;
    const { loopId } = store;
    const verification = this.#baseline.verification_type;
    return { memory, reflector, loopId, verification, options: this.#options, onWork: emit };
  }

  async #moveTo(tree: TreeId): Promise<void> {
    if (this.#current !== tree) await this.#ports.workspace.restore(tree);
    this.#current = tree;
  }

  async #attach({ iteration, trajectory }: Attempt, total: ChangeSet): Promise<void> {
    const { store } = this.#ports;
    await store.attach(`${folderOf(iteration)}/patch.diff`, total.patch);
    await store.attach(`${folderOf(iteration)}/trajectory.jsonl`, trajectoryLines(trajectory));
    for (const [index, { patch }] of (trajectory.alternatives ?? []).entries()) {
      await store.attach(`${folderOf(iteration)}/alternatives/${index + 1}.patch`, patch);
    }
  }

  async #saveState(status: LoopStatus | 'running', verdict?: Verdict): Promise<void> {
    const { actor, store, workspace } = this.#ports;
    const { task, maxIterations, settings, startedAt } = this.#options;
    const best = this.#best();
    await store.saveState(
      loopState({
        ...{
          loopId: store.loopId,
          task,
          status,
          actor: actor.name,
          startedAt,
          maxIterations,
          settings,
          verdict,
        },
        iteration: this.attempts.length,
        reward: (best?.evaluation ?? this.#baseline).reward,
        baselineReward: this.#baseline.reward,
        baseTree: workspace.base,
        bestTree: best?.tree,
      }),
    );
  }

  #best(): Attempt | undefined {
    return this.attempts.findLast(({ best }) => best);
  }

  #endTree(): TreeId {
    const { base } = this.#ports.workspace;
    return this.#options.endOn === 'base' ? base : (this.#best()?.tree ?? base);
  }

  /** Aborts when the user insists, or when the loop's time is up. */
  #actorSignal(): AbortSignal {
    const { maxTimeMs, signal } = this.#options;
    if (maxTimeMs === undefined) return signal;
    const restMs = Math.max(1, Math.round(maxTimeMs - this.#spending.elapsedMs));
    return AbortSignal.any([signal, AbortSignal.timeout(restMs)]);
  }

  #throwIfAborted(): void {
    if (this.#options.signal.aborted) throw abortedError(this.#ports.store.loopId);
  }
}

function folderOf(iteration: number): string {
  return `attempts/${String(iteration).padStart(3, '0')}`;
}
