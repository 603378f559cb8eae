import { relative, sep } from 'node:path';
import { RalphError, messageOf } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import type { DeliveryMode } from '../../ports.ts';
import type { TaskResult, TaskRun, TaskStatus, Verdict } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { acquireLock } from '../../state/lock.ts';
import { openTaskProgress, type ProgressStore } from '../../state/task-progress.ts';
import { readTaskFile, tickTask } from '../../tasks/task-file.ts';
import type { TaskItem } from '../../tasks/task-item.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import { openSnapshots } from '../../workspace/snapshots/snapshots.ts';
import type { LoopRequest } from '../loop-request.ts';
import { openLoop, type LoopSession } from '../loop.ts';
import type { Project } from '../project.ts';
import { createGate, type Company } from './company.ts';
import { createPurse, type Purse } from './purse.ts';
import { findStarted, type Started } from './started.ts';

/** Where one task's events go; closed once its result is known. */
export interface TaskListener {
  readonly emit: (event: RunEvent) => void;
  readonly close: (result: TaskResult) => void;
}

export interface TaskRunRequest {
  /** As it was given, and absolute. */
  readonly file: { readonly given: string; readonly path: string };
  /** The repository as it is now: each loop opens it anew. */
  readonly openProject: () => Promise<Project>;
  readonly delivery: DeliveryMode;
  /** Loops at the same time, 1 or more. */
  readonly parallel: number;
  /** `number` is 1-based, of `total` in the file. */
  readonly listen: (item: TaskItem, number: number, total: number) => Promise<TaskListener>;
  readonly warn: (text: string) => void;
  readonly stopRequested: () => boolean;
  readonly signal: AbortSignal;
}

/** What came of a list of tasks, and the error that ended it early. */
export interface TaskRunOutcome {
  readonly run: TaskRun;
  readonly error: RalphError | undefined;
}

/**
 * A loop for each open task of a file, in its order, under one lock of the repository. A task is marked in the file
 * once its loop is verified and delivered, and not before. Loops that a killed run left are gone on with. Throws
 * RalphError where the list cannot begin; an error in a loop ends the list and is told with what was done.
 */
export async function runTasks(request: TaskRunRequest): Promise<TaskRunOutcome> {
  const started = performance.now();
  const { format, items } = readTaskFile(request.file.path);
  const project = await request.openProject();
  const { root } = project.repository;
  const lock = acquireLock(root, { loopId: 'tasks', command: 'run --tasks' });
  try {
    const progress = await openTaskProgress({
      repositoryRoot: root,
      file: request.file.path,
      warn: request.warn,
    });
    const now = (): number => performance.now();
    const purse = createPurse(project.settings, { places: request.parallel, now });
    const list = new TaskList({ ...request, lock, progress, purse, items, first: project });
    await list.run();
    const { tasks, error } = list;
    const verified = tasks.every(({ status }) => status === 'verified' || status === 'done_before');
    const usage = sumUsage(tasks.map(({ verdict }) => verdict?.usage ?? NO_USAGE));
    const duration = Math.round(performance.now() - started);
    return {
      run: { file: request.file.given, format, verified, tasks, usage, duration_ms: duration },
      error,
    };
  } finally {
    lock.release();
  }
}

interface ListOptions extends TaskRunRequest {
  readonly lock: NonNullable<LoopRequest['lock']>;
  readonly progress: ProgressStore;
  readonly purse: Purse;
  readonly items: readonly TaskItem[];
  readonly first: Project;
}

class TaskList {
  readonly tasks: TaskResult[] = [];
  error: RalphError | undefined;
  readonly #options: ListOptions;
  readonly #alone = createGate();
  readonly #known: Company['known'] = new Set();
  readonly #settled: Promise<void>[] = [];
  #opened = 0;

  constructor(options: ListOptions) {
    this.#options = options;
    this.tasks = options.items.map((item) => resultOf(item, item.done ? 'done_before' : 'not_run'));
  }

  /** As many lanes as may run at once, each taking the next task. Rejects with what is a fault of ralph's own. */
  async run(): Promise<void> {
    // A loop that is resumed began with an older tree; what came to it since is merged with, not in its way.
    if (this.#options.parallel > 1) await this.#know(BEGINNING, true);
    const open = this.#options.items.flatMap((item, index) => (item.done ? [] : [{ item, index }]));
    const lane = async (number: number): Promise<void> => {
      for (let next = open.shift(); next !== undefined; next = open.shift()) {
        if (this.#isOver()) return;
        const task = this.#one(next.item, next.index, number);
        this.#settled.push(task.catch(() => undefined));
        await task;
      }
    };
    const lanes = Array.from({ length: Math.min(this.#options.parallel, open.length) }, (_, at) =>
      lane(at + 1),
    );
    const ends = await Promise.allSettled(lanes);
    const broken = ends.find((end) => end.status === 'rejected');
    if (broken !== undefined) throw broken.reason;
  }

  #isOver(): boolean {
    return this.error !== undefined || this.#options.stopRequested() || this.#options.signal.aborted;
  }

  async #one(item: TaskItem, index: number, lane: number): Promise<void> {
    const { listen, items, purse } = this.#options;
    const before = [...this.#settled];
    const taken = purse.take();
    if (taken === undefined) {
      this.tasks[index] = { ...resultOf(item, 'budget'), reason: 'The budget of the list is spent.' };
      return;
    }
    const listener = await listen(item, index + 1, items.length);
    const turn = async (): Promise<void> => void (await Promise.all(before));
    const company = { lane, isAlone: this.#opened++ === 0, alone: this.#alone, turn, known: this.#known };
    const result = await this.#attempt(item, { company, listener, budgets: taken.budgets });
    taken.giveBack(result.verdict?.usage ?? NO_USAGE);
    this.tasks[index] = result;
    listener.close(result);
  }

  async #attempt(item: TaskItem, how: How): Promise<TaskResult> {
    try {
      const done = await this.#loop(item, how);
      return done.status === 'verified' ? await this.#tick(item, done) : done;
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      if (error.code !== 'aborted') this.error ??= error;
      const status = error.code === 'aborted' ? 'stopped' : 'error';
      return {
        ...resultOf(item, status, this.#options.progress.noteOf(item.key)?.loop_id),
        reason: messageOf(error),
      };
    }
  }

  /** Runs the task's loop to its verdict, behind what an earlier run finished of it. */
  async #loop(item: TaskItem, how: How): Promise<TaskResult> {
    const { progress, first } = this.#options;
    const { root } = first.repository;
    const started = await findStarted(root, progress.noteOf(item.key), this.#options.delivery);
    if (started?.kind === 'ended')
      return { ...resultOf(item, started.status, started.loopId), reason: started.reason };
    const loopId = started?.loopId ?? newLoopId(item.title, new Date());
    await progress.save(item.key, { loop_id: loopId, ticked: false });
    const session = await this.#open(item, { loopId, started, how });
    try {
      const { verdict, conflict } = await session.run();
      return { ...resultOf(item, statusOf(verdict, conflict), loopId), reason: verdict.reason, verdict };
    } finally {
      await session.close();
    }
  }

  async #open(
    item: TaskItem,
    { loopId, started, how }: { loopId: string; started: Started | undefined; how: How },
  ): Promise<LoopSession> {
    const { openProject, delivery, lock, parallel, stopRequested, signal } = this.#options;
    const state = started?.kind === 'unfinished' ? started : undefined;
    const open = async (): Promise<LoopSession> =>
      openLoop({
        project: this.#forTask(await openProject(), how.budgets),
        task: item.text,
        ...{ delivery, loopId, lock, stopRequested, signal },
        startedAt: state?.startedAt ?? new Date().toISOString(),
        resumed: state !== undefined,
        ...(state !== undefined && {
          base: state.base,
          ...(state.head !== undefined && { head: state.head }),
        }),
        emit: how.listener.emit,
        ...(parallel > 1 && { company: how.company }),
      });
    return this.#alone(open);
  }

  /** What is asked of each loop of a list: a change, made without a hand on the list itself. */
  #forTask(project: Project, budgets: How['budgets']): Project {
    const { config, settings, repository } = project;
    const inside = relative(repository.root, this.#options.file.path);
    const listed = inside === '..' || inside.startsWith(`..${sep}`) ? [] : [asGlob(inside)];
    const own = {
      requireChange: config.requireChange ?? true,
      protect: [...settings.protect, ...listed],
    };
    return { ...project, config: { ...config, ...own }, settings: { ...settings, ...own, ...budgets } };
  }

  /** The user's tree as it is now is no change of the user's. */
  async #know(loopId: string, isAlone: boolean): Promise<void> {
    const { repository } = this.#options.first;
    const snapshots = await openSnapshots(repository, loopId, { isAlone });
    this.#known.add(await snapshots.snapshot(repository.root));
  }

  async #tick(item: TaskItem, result: TaskResult): Promise<TaskResult> {
    const { file, progress, parallel, warn } = this.#options;
    return this.#alone(async () => {
      const ticked = (await tickTask(file.path, item.key)) === 'ticked';
      if (!ticked)
        warn(`${file.given} has no task ${JSON.stringify(item.title)} any more; nothing was marked.`);
      if (result.loop_id !== null) await progress.save(item.key, { loop_id: result.loop_id, ticked: true });
      if (parallel > 1) await this.#know(result.loop_id!, false);
      return { ...result, ticked };
    });
  }
}

/** Stands in for a loop id where a list begins. */
const BEGINNING = 'ralph-tasks';

interface How {
  readonly company: Company;
  readonly listener: TaskListener;
  readonly budgets: NonNullable<ReturnType<Purse['take']>>['budgets'];
}

function resultOf(item: TaskItem, status: TaskStatus, loopId?: string): TaskResult {
  const { key, title, done } = item;
  return {
    key,
    title,
    status,
    ticked: done,
    loop_id: loopId ?? null,
    reason: REASONS[status],
    verdict: null,
  };
}

const REASONS: Readonly<Record<TaskStatus, string>> = {
  done_before: 'It was marked as done.',
  verified: 'Its loop ended verified.',
  unverified: 'Its loop ended unverified.',
  conflict: 'Its result is on a branch.',
  budget: 'A budget is spent.',
  stopped: 'It was stopped; the next run goes on with it.',
  error: 'It could not be run.',
  not_run: 'It was not begun.',
};

function statusOf({ status, verified }: Verdict, conflict: boolean): TaskStatus {
  if (verified) return conflict ? 'conflict' : 'verified';
  if (status === 'aborted') return 'stopped';
  return status === 'budget' ? 'budget' : 'unverified';
}

/** A path as a glob that matches it alone. */
function asGlob(path: string): string {
  return path
    .split(sep)
    .join('/')
    .replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}
