import { RalphError, messageOf } from '../../errors.ts';
import { newLoopId } from '../../platform/loop-id.ts';
import type { TaskResult } from '../../schema/generated.ts';
import { NO_USAGE } from '../../schema/usage.ts';
import type { ProgressStore } from '../../state/task-progress.ts';
import { tickTask } from '../../tasks/task-file.ts';
import type { TaskItem } from '../../tasks/task-item.ts';
import { openSnapshots } from '../../workspace/snapshots/snapshots.ts';
import type { LoopRequest } from '../loop/loop-request.ts';
import { openLoop, type LoopSession } from '../loop/loop.ts';
import type { Project } from '../project.ts';
import { findEarlierLoop, type EarlierLoop } from './earlier-loop.ts';
import { projectForTask } from './project-for-task.ts';
import type { TaskListener, TaskRunRequest } from './run-tasks.ts';
import type { Reservation, SharedBudget } from './shared-budget.ts';
import { createExclusive, type SiblingLoops } from './sibling-loops.ts';
import { taskResult, taskStatus } from './task-result.ts';

export interface TaskListOptions extends TaskRunRequest {
  readonly lock: NonNullable<LoopRequest['lock']>;
  readonly progress: ProgressStore;
  readonly budget: SharedBudget;
  readonly items: readonly TaskItem[];
  /** The project as it was when the list started. */
  readonly firstProject: Project;
}

/** Stands for a loop id in the snapshots that are taken before the first loop. */
const LIST_ID = 'ralph-tasks';

/** Budgets, siblings and listener of one task's loop. */
interface TaskContext extends Pick<Reservation, 'budgets'> {
  readonly siblings: SiblingLoops;
  readonly listener: TaskListener;
}

/** Codes of errors that end one loop and not the list. `usage`: the task's criteria prove nothing. */
const ENDS_ONE_TASK = new Set<string>(['aborted', 'budget_spent', 'usage']);
const END_OF_ERROR: Readonly<Record<string, 'stopped' | 'budget'>> = {
  aborted: 'stopped',
  budget_spent: 'budget',
};

/** A running list of tasks. */
export class TaskList {
  /** Results in the order of the file. */
  readonly tasks: TaskResult[];
  /** The first error that ended a loop; no further task is started. */
  error: RalphError | undefined;
  readonly #options: TaskListOptions;
  readonly #exclusive = createExclusive();
  readonly #knownTrees: SiblingLoops['knownTrees'] = new Set();
  /** One promise per started task, which resolves when the task has ended. */
  readonly #ended: Promise<void>[] = [];

  constructor(options: TaskListOptions) {
    this.#options = options;
    this.tasks = options.items.map((item) => taskResult(item, item.done ? 'done_before' : 'not_run'));
  }

  /** Runs as many tasks at the same time as `parallel` allows. Rejects only with an error that is not a RalphError. */
  async run(): Promise<void> {
    const { items, parallel } = this.#options;
    // A resumed loop started from an older tree; changes by ralph since then are merged with, not treated as the user's.
    if (parallel > 1) await this.#addKnownTree(LIST_ID, { removeStaleLocks: true });
    const open = items.flatMap((item, index) => (item.done ? [] : [{ item, index }]));
    const slots = Array.from({ length: Math.min(parallel, open.length) }, (_, index) => index + 1);
    const ends = await Promise.allSettled(slots.map((slot) => this.#runSlot(slot, open)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Takes the next open task until there is none. */
  async #runSlot(slot: number, open: { readonly item: TaskItem; readonly index: number }[]): Promise<void> {
    for (let next = open.shift(); next !== undefined && !this.#isOver(); next = open.shift()) {
      const task = this.#runTask(next.item, next.index, slot);
      this.#ended.push(task.catch(() => undefined));
      await task;
    }
  }

  #isOver(): boolean {
    return this.error !== undefined || this.#options.stop.aborted || this.#options.signal.aborted;
  }

  async #runTask(item: TaskItem, index: number, slot: number): Promise<void> {
    const { listen, items, budget } = this.#options;
    const earlier = [...this.#ended];
    const reservation = budget.reserve();
    if (reservation === undefined) {
      this.tasks[index] = taskResult(item, 'budget');
      return;
    }
    const listener = await listen(item, index + 1, items.length);
    const siblings: SiblingLoops = {
      slot,
      isFirst: earlier.length === 0,
      exclusive: this.#exclusive,
      earlierDelivered: async () => void (await Promise.all(earlier)),
      knownTrees: this.#knownTrees,
    };
    const { budgets } = reservation;
    const result = await this.#runSafely(item, { siblings, listener, budgets });
    reservation.release(result.verdict?.usage ?? NO_USAGE);
    this.tasks[index] = result;
    listener.close(result);
  }

  /** Runs the task's loop and marks the task if it is verified; a RalphError becomes part of the result. */
  async #runSafely(item: TaskItem, context: TaskContext): Promise<TaskResult> {
    try {
      const result = await this.#runLoop(item, context);
      return result.status === 'verified' ? await this.#markDone(item, result) : result;
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      const status = END_OF_ERROR[error.code] ?? 'error';
      if (!ENDS_ONE_TASK.has(error.code)) this.error ??= error;
      const loopId = this.#options.progress.noteOf(item.key)?.loop_id;
      return { ...taskResult(item, status, loopId), reason: messageOf(error) };
    }
  }

  /** Runs the task's loop to its verdict, from where an earlier run left it. */
  async #runLoop(item: TaskItem, context: TaskContext): Promise<TaskResult> {
    const { progress, firstProject, delivery } = this.#options;
    const earlier = await findEarlierLoop(firstProject.repository.root, progress.noteOf(item.key), delivery);
    if (earlier?.kind === 'verified')
      return { ...taskResult(item, 'verified', earlier.loopId), reason: earlier.reason };
    const loopId = earlier?.loopId ?? newLoopId(item.title, new Date());
    await progress.save(item.key, { loop_id: loopId, ticked: false });
    const session = await this.#exclusive(() => this.#openLoop(item, { loopId, earlier, context }));
    try {
      const { verdict, conflict } = await session.run();
      const result = taskResult(item, taskStatus(verdict, conflict), loopId);
      return { ...result, reason: verdict.reason, verdict };
    } finally {
      await session.close();
    }
  }

  async #openLoop(
    item: TaskItem,
    { loopId, earlier, context }: { loopId: string; earlier?: EarlierLoop; context: TaskContext },
  ): Promise<LoopSession> {
    const { openProject, delivery, file, items, lock, parallel, stop, signal } = this.#options;
    const unfinished = earlier?.kind === 'unfinished' ? earlier : undefined;
    const { budgets, listener, siblings } = context;
    return openLoop({
      project: projectForTask(await openProject(), {
        taskFile: file.path,
        budgets,
        others: items.filter(({ key, done }) => key !== item.key && !done),
      }),
      task: item.text,
      proof: { hasTask: true, isListed: true, criteria: item.criteria },
      delivery,
      loopId,
      startedAt: unfinished?.startedAt ?? new Date().toISOString(),
      resumed: unfinished !== undefined,
      base: unfinished?.base,
      head: unfinished?.head,
      emit: listener.emit,
      stopRequested: () => stop.aborted,
      stop,
      signal,
      lock,
      siblings: parallel > 1 ? siblings : undefined,
    });
  }

  async #addKnownTree(loopId: string, how: { readonly removeStaleLocks: boolean }): Promise<void> {
    const { repository } = this.#options.firstProject;
    const snapshots = await openSnapshots(repository, loopId, how);
    this.#knownTrees.add(await snapshots.snapshot(repository.root));
  }

  /** Marks the task as done in the task file. */
  async #markDone(item: TaskItem, result: TaskResult): Promise<TaskResult> {
    const { file, progress, parallel, warn } = this.#options;
    return this.#exclusive(async () => {
      const ticked = (await tickTask(file.path, item.key)) === 'ticked';
      if (!ticked)
        warn(`${file.given} no longer has the task ${JSON.stringify(item.title)}; it was not marked.`);
      if (result.loop_id !== null) await progress.save(item.key, { loop_id: result.loop_id, ticked: true });
      if (parallel > 1) await this.#addKnownTree(result.loop_id!, { removeStaleLocks: false });
      return { ...result, ticked };
    });
  }
}
