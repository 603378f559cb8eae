import { resolve } from 'node:path';
import { openProject } from '../../compose/project.ts';
import { runTasks, type TaskListener, type TaskRunOutcome } from '../../compose/tasks/run-tasks.ts';
import { ExitCode, usageError, type ExitCode as Code } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import { redactedEvents } from '../../report/redacted-events.ts';
import { createTaskLines, renderTaskRun } from '../../report/task-lines.ts';
import type { TaskStatus } from '../../schema/generated.ts';
import { readTaskFile } from '../../tasks/task-file.ts';
import type { TaskItem } from '../../tasks/task-item.ts';
import { printable, printableColoured, printableJson } from '../../platform/text/printable.ts';
import { redact, redactValue } from '../../platform/redaction/redact.ts';
import { listenForInterrupts, type Interruption } from '../interrupt.ts';
import { configOf } from '../options.ts';
import { chalkFor, createOutput, printResult } from '../output.ts';
import { deliveryOf, type RunOptions } from '../run-options.ts';

const MOST_PARALLEL = 16;

/**
 * `ralph run --tasks FILE`: a loop for each open task. Exit 0 only where every task is verified; 4 where a result
 * could not be applied, 3 where a budget ended it, 130 or 143 where it was interrupted, 1 otherwise.
 */
export async function runTaskFile(
  words: readonly string[],
  options: RunOptions,
  given: string,
): Promise<void> {
  refuseOtherTasks(words, options, given);
  const parallel = parallelOf(options);
  const path = resolve(given);
  if (options.dryRun === true) return printTasks(path, options);
  const interruption = listenForInterrupts((text) => void process.stderr.write(`${text}\n`));
  try {
    const outcome = await runTasks({
      file: { given, path },
      openProject: () =>
        openProject({ cwd: process.cwd(), flags: configOf({ ...options }), env: process.env }),
      delivery: deliveryOf(options),
      parallel,
      listen: (item, number, total) => listen(options, parallel, { item, number, total }),
      warn: tell,
      stopRequested: interruption.stopRequested,
      signal: interruption.signal,
    });
    printOutcome(options, outcome);
    process.exitCode = exitCodeOf(outcome, interruption);
  } finally {
    interruption.close();
  }
}

function refuseOtherTasks(words: readonly string[], options: RunOptions, given: string): void {
  if (given === '-')
    throw usageError(
      '--tasks takes a file, not standard input.',
      'Done tasks are marked in it: write it to a file.',
    );
  const others = [options.prompt, options.promptFile, options.issue];
  if (words.length > 0 || others.some((other) => other !== undefined))
    throw usageError('The task is given more than once.', 'Give --tasks FILE alone, or one task without it.');
  if (options.createPr === true)
    throw usageError(
      '--create-pr brings the result of one task, and --tasks has several.',
      'Run the list on a branch of its own and open the pull request of that: git switch --create fixes',
    );
}

function parallelOf({ parallel = '1', isolation }: RunOptions & { readonly isolation?: string }): number {
  const count = Number(parallel);
  if (!Number.isInteger(count) || count < 1 || count > MOST_PARALLEL)
    throw usageError(`--parallel is ${parallel}: it must be a whole number from 1 to ${MOST_PARALLEL}.`);
  if (count > 1 && isolation === 'in-place')
    throw usageError('--parallel needs a workspace for each loop.', 'Leave out --isolation in-place.');
  return count;
}

interface Place {
  readonly item: TaskItem;
  readonly number: number;
  readonly total: number;
}

/** One loop after the other is shown as any run is; loops at the same time as a few lines each. */
async function listen(
  options: RunOptions,
  parallel: number,
  { item, number, total }: Place,
): Promise<TaskListener> {
  const label = `[${number}/${total}]`;
  if (options.format === 'jsonl') return asJsonLines(item);
  if (options.format === 'text' && parallel === 1) {
    const output = await createOutput(options);
    if (options.quiet !== true) output.say(`${label} ${item.title}`);
    return { emit: output.emit, close: () => output.close() };
  }
  const stream = options.format === 'text' ? process.stdout : process.stderr;
  const print = (line: string): void => void stream.write(`${printableColoured(redact(line))}\n`);
  const lines = createTaskLines({ chalk: chalkFor(stream), print, label });
  if (options.quiet !== true) print(`${label} ${item.title}`);
  return {
    emit: redactedEvents((event) => (options.quiet === true ? undefined : lines.on(event))),
    close: () => undefined,
  };
}

/** Each event of the loop with the key of its task. */
function asJsonLines({ key }: TaskItem): TaskListener {
  const write = (event: RunEvent): void =>
    void process.stdout.write(`${printableJson({ task: redact(key), ...event })}\n`);
  return { emit: redactedEvents(write), close: () => undefined };
}

function printOutcome(options: RunOptions, { run, error }: TaskRunOutcome): void {
  if (options.format === 'json') process.stdout.write(`${printableJson(redactValue(run))}\n`);
  else if (options.format === 'jsonl')
    process.stdout.write(`${printableJson(redactValue({ type: 'tasks_finished', run }))}\n`);
  else {
    const lines = renderTaskRun(run, chalkFor(process.stdout));
    for (const line of options.quiet === true ? lines.slice(0, 1) : lines)
      process.stdout.write(`${printableColoured(redact(line))}\n`);
  }
  if (error === undefined) return;
  tell(`ralph: ${error.message}`);
  if (error.hint !== undefined) tell(error.hint.replace(/^/gm, '  '));
}

function printTasks(path: string, options: RunOptions): void {
  const { format, items } = readTaskFile(path);
  printResult(options, { file: path, format, tasks: items }, () => [
    ...items.map(
      ({ done, title }, index) =>
        `${String(index + 1).padStart(4)}  ${done ? 'done' : 'open'}  ${printable(title)}`,
    ),
    'Nothing was run and nothing was changed.',
  ]);
}

function exitCodeOf({ run, error }: TaskRunOutcome, interruption: Interruption): Code {
  const has = (status: TaskStatus): boolean => run.tasks.some((task) => task.status === status);
  if (run.verified) return ExitCode.verified;
  if (interruption.stopRequested() || has('stopped')) return interruption.exitCode();
  if (error !== undefined) return error.exitCode;
  if (has('conflict')) return ExitCode.workspace;
  return has('budget') ? ExitCode.budget : ExitCode.unverified;
}

function tell(text: string): void {
  process.stderr.write(`${printable(redact(text))}\n`);
}
