import type { RalphError } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import type { DeliveryMode } from '../../ports/tree.ts';
import type { TaskResult, TaskRun } from '../../schema/generated.ts';
import { NO_USAGE, sumUsage } from '../../schema/usage.ts';
import { acquireLock } from '../../state/lock.ts';
import { openTaskProgress } from '../../state/task-progress.ts';
import { readTaskFile, removeUnfinishedTicks } from '../../tasks/task-file.ts';
import type { TaskItem } from '../../tasks/task-item.ts';
import type { Project } from '../project.ts';
import { createSharedBudget } from './shared-budget.ts';
import { TaskList } from './task-list.ts';

/** Receives the events of one task. */
export interface TaskListener {
  readonly emit: (event: RunEvent) => void;
  /** Called when the task's result is known. */
  readonly close: (result: TaskResult) => void;
}

export interface TaskRunRequest {
  /** The task file as the user gave it, and its absolute path. */
  readonly file: { readonly given: string; readonly path: string };
  /** Opens the repository in its present state; called for each loop. */
  readonly openProject: () => Promise<Project>;
  readonly delivery: DeliveryMode;
  /** Number of loops that run at the same time, 1 or more. */
  readonly parallel: number;
  /** `number` is the 1-based number of the task, `total` the number of tasks in the file. */
  readonly listen: (item: TaskItem, number: number, total: number) => Promise<TaskListener>;
  /** Called with a sentence for the user. */
  readonly warn: (text: string) => void;
  /** Ends the running loops, and starts no further one. */
  readonly stop: AbortSignal;
  readonly signal: AbortSignal;
}

/** Results of a list of tasks, and the error that ended it early. */
export interface TaskRunOutcome {
  readonly run: TaskRun;
  readonly error: RalphError | undefined;
}

/**
 * Runs a loop for each open task of a file, in order, under one lock of the repository. A task is marked in the file only
 * when its loop is verified and delivered. Loops that an interrupted run left unfinished are continued. Throws RalphError
 * if the list cannot start; an error in a loop ends the list and is part of the outcome.
 */
export async function runTasks(request: TaskRunRequest): Promise<TaskRunOutcome> {
  const started = performance.now();
  const { file, parallel, warn } = request;
  const { format, items } = readTaskFile(file.path);
  const project = await request.openProject();
  const { root } = project.repository;
  const lock = acquireLock(root, { loopId: 'tasks', command: 'run --tasks' });
  try {
    // The base of the first loop must not have it.
    await removeUnfinishedTicks(file.path);
    const progress = await openTaskProgress({ repositoryRoot: root, file: file.path, warn });
    const budget = createSharedBudget(project.settings, { slots: parallel, now: () => performance.now() });
    const list = new TaskList({ ...request, lock, progress, budget, items, firstProject: project });
    await list.run();
    const { tasks, error } = list;
    const run = {
      file: file.given,
      format,
      verified: tasks.every(({ status }) => status === 'verified' || status === 'done_before'),
      tasks,
      usage: sumUsage(tasks.map(({ verdict }) => verdict?.usage ?? NO_USAGE)),
      duration_ms: Math.round(performance.now() - started),
    };
    return { run, error };
  } finally {
    lock.release();
  }
}
