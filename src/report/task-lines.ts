import type { ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import type { TaskResult, TaskRun, TaskStatus } from '../schema/generated.ts';
import { mapTexts } from '../platform/text/map-texts.ts';
import { printable } from '../platform/text/printable.ts';

export interface TaskLinesOptions {
  readonly chalk: ChalkInstance;
  readonly print: (line: string) => void;
  /** Which task it is: several may tell of themselves at once. */
  readonly label: string;
}

/** The loop of one task of several as a few lines, each with the task's number in front. */
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
      return `${wordFor(event.verdict.verified ? 'verified' : 'unverified', chalk)}  ${event.verdict.reason}`;
    default:
      return undefined;
  }
}

/** Every task of a list in a line, and what to type next. Whatever the file says is shown so that a terminal acts on none of it. */
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
  const why = isFine(status) ? '' : `: ${printable(reason.split('\n', 1)[0]!)}`;
  const loop = loopId === null ? '' : chalk.dim(`  ${loopId}`);
  return `${String(number).padStart(4)}  ${wordFor(status, chalk)}${pad}  ${printable(title)}${why}${loop}`;
}

const WORDS: Readonly<Record<TaskStatus, string>> = {
  done_before: 'done',
  verified: 'VERIFIED',
  unverified: 'NOT VERIFIED',
  conflict: 'CONFLICT',
  budget: 'BUDGET',
  stopped: 'STOPPED',
  error: 'ERROR',
  not_run: 'not run',
};

function wordFor(status: TaskStatus, chalk: ChalkInstance): string {
  if (status === 'done_before' || status === 'not_run') return chalk.dim(WORDS[status]);
  return status === 'verified' ? chalk.green.bold(WORDS[status]) : chalk.red.bold(WORDS[status]);
}

function isFine(status: TaskStatus): boolean {
  return status === 'verified' || status === 'done_before' || status === 'not_run';
}

function nextSteps({ tasks, verified, file }: TaskRun): string[] {
  const changed = tasks.some(({ verdict }) => verdict?.applied === 'tree');
  const failed = tasks.find(({ status }) => status === 'unverified');
  return [
    ...(changed ? ['git diff'] : []),
    ...(failed === undefined ? [] : [`ralph reflections show ${failed.loop_id}`]),
    ...(verified ? [] : [`ralph run --tasks ${printable(file)}   goes on with what is open`]),
  ];
}
