import type { TaskResult, TaskStatus, Verdict } from '../../schema/generated.ts';
import type { TaskItem } from '../../tasks/task-item.ts';

/** Result of a task without a verdict, with the standard reason of its status. */
export function taskResult(item: TaskItem, status: TaskStatus, loopId?: string): TaskResult {
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

/** Status of a task by the verdict of its loop; `conflict` if the result was left on a branch. */
export function taskStatus({ status, verified }: Verdict, conflict: boolean): TaskStatus {
  if (verified) return conflict ? 'conflict' : 'verified';
  if (status === 'unproven') return 'unproven';
  if (status === 'aborted') return 'stopped';
  return status === 'budget' ? 'budget' : 'unverified';
}

const REASONS: Readonly<Record<TaskStatus, string>> = {
  done_before: 'It was already marked as done.',
  verified: 'Its loop ended verified.',
  unverified: 'Its loop ended unverified.',
  unproven: 'Its loop ended unproven: nothing shows that it is done.',
  conflict: 'Its result is on a branch.',
  budget: 'The budget of the list is spent.',
  stopped: 'It was stopped; the next run continues it.',
  error: 'Its loop could not run.',
  not_run: 'It was not started.',
};
