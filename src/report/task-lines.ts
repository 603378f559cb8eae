import type { ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import type { TaskResult, TaskRun, TaskStatus, Verdict } from '../schema/generated.ts';
import { mapTexts } from '../platform/text/map-texts.ts';
import { printable } from '../platform/text/printable.ts';

/** Options of `createTaskLines`. */
export interface TaskLinesOptions {
  readonly chalk: ChalkInstance;
  readonly print: (line: string) => void;
  /** Printed before each line, because several tasks can run at once. */
  readonly label: string;
}

/** Creates the reporter of one task among several: a few lines, each with the task's label. */
export function createTaskLines({ chalk, print, label }: TaskLinesOptions): Reporter {
  const line = (text: string): void => print(`${chalk.dim(label)} ${text.split('\n', 1)[0]!}`);
  return {
    on(event) {
      const text = lineOf(mapTexts(event, printable), chalk);
      if (text !== undefined) line(text);
    },
  };
}

function lineOf(event: RunEvent, chalk: ChalkInstance): string | undefined {
  switch (event.type) {
    case 'loop_started':
      return `${event.loopId}${event.resumed ? ' (resumed)' : ''}`;
    case 'baseline_evaluated':
      return `baseline   reward ${event.evaluation.reward.toFixed(3)}`;
    case 'attempt_evaluated':
      return `attempt ${event.iteration}  reward ${event.evaluation.reward.toFixed(3)}${event.best ? ' best' : ''}`;
    case 'delivered':
      return event.outcome.message;
    case 'warning':
      return chalk.yellow(`warning    ${event.text}`);
    case 'loop_finished':
      return `${paintWord(taskStatus(event.verdict), chalk)}  ${event.verdict.reason}`;
    default:
      return undefined;
  }
}

function taskStatus({ verified, status }: Verdict): TaskStatus {
  if (verified) return 'verified';
  return status === 'unproven' ? 'unproven' : 'unverified';
}

/** Renders the result of a task list: one line per task, and the next commands. Texts of the file are made printable. */
export function renderTaskRun(run: TaskRun, chalk: ChalkInstance): string[] {
  const done = run.tasks.filter(({ status }) => status === 'verified' || status === 'done_before').length;
  const width = Math.max(...run.tasks.map(({ status }) => WORDS[status].length));
  return [
    `${chalk.bold('tasks')}       ${done} of ${run.tasks.length} verified, ${printable(run.file)}`,
    ...run.tasks.map((task, index) => renderTask(task, { number: index + 1, width, chalk })),
    ...nextSteps(run).map((text) => `${chalk.bold('next')}        ${text}`),
  ];
}

function renderTask(
  { status, title, reason, loop_id: loopId }: TaskResult,
  { number, width, chalk }: { number: number; width: number; chalk: ChalkInstance },
): string {
  const pad = ' '.repeat(width - WORDS[status].length);
  const why = needsNoReason(status) ? '' : `: ${printable(reason.split('\n', 1)[0]!)}`;
  const loop = loopId === null ? '' : chalk.dim(`  ${loopId}`);
  return `${String(number).padStart(4)}  ${paintWord(status, chalk)}${pad}  ${printable(title)}${why}${loop}`;
}

const WORDS: Readonly<Record<TaskStatus, string>> = {
  done_before: 'done',
  verified: 'VERIFIED',
  unverified: 'NOT VERIFIED',
  unproven: 'UNPROVEN',
  conflict: 'CONFLICT',
  budget: 'BUDGET',
  stopped: 'STOPPED',
  error: 'ERROR',
  not_run: 'not run',
};

function paintWord(status: TaskStatus, chalk: ChalkInstance): string {
  if (status === 'done_before' || status === 'not_run') return chalk.dim(WORDS[status]);
  return status === 'verified' ? chalk.green.bold(WORDS[status]) : chalk.red.bold(WORDS[status]);
}

function needsNoReason(status: TaskStatus): boolean {
  return status === 'verified' || status === 'done_before' || status === 'not_run';
}

function nextSteps({ tasks, verified, file }: TaskRun): string[] {
  const changed = tasks.some(({ verdict }) => verdict?.applied === 'tree');
  const failed = tasks.find(({ status }) => status === 'unverified');
  return [
    ...(changed ? ['git diff'] : []),
    ...(failed === undefined ? [] : [`ralph reflections show ${failed.loop_id}`]),
    ...(verified ? [] : [`ralph run --tasks ${printable(file)}   continues with the open tasks`]),
  ];
}
