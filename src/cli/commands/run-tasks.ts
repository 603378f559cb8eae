import { resolve } from 'node:path';
import { confirmTrust } from '../confirm-trust.ts';
import { openProject } from '../../compose/project.ts';
import { runTasks, type TaskListener, type TaskRunOutcome } from '../../compose/tasks/run-tasks.ts';
import { ExitCode, usageError, type ExitCode as Code } from '../../errors.ts';
import type { RunEvent } from '../../events.ts';
import { redact, redactValue } from '../../platform/redaction/redact.ts';
import { printable, printableColoured, printableJson } from '../../platform/text/printable.ts';
import { redactedEvents } from '../../report/redacted-events.ts';
import { createTaskLines, renderTaskRun } from '../../report/task-lines.ts';
import type { TaskStatus } from '../../schema/generated.ts';
import { readTaskFile } from '../../tasks/task-file.ts';
import type { TaskItem } from '../../tasks/task-item.ts';
import { listenForInterrupts, type Interruption } from '../interrupt.ts';
import { printError } from '../messages.ts';
import { settingsFromOptions } from '../options.ts';
import { chalkFor, createOutput, printResult } from '../output.ts';
import { chooseDelivery, type RunOptions } from '../run-options.ts';

const MAX_PARALLEL = 16;

/**
 * `ralph run --tasks FILE`: a loop for each open task; `given` is the path as it was typed. Exit 0 only if every task is
 * verified; 4 if a result could not be applied, 3 if a budget ended the list, 130 or 143 if it was interrupted, else 1.
 */
export async function runTaskFile(
  words: readonly string[],
  options: RunOptions,
  given: string,
): Promise<void> {
  refuseOtherTasks(words, options, given);
  const parallel = parseParallel(options);
  const path = resolve(given);
  if (options.dryRun === true) return printTasks(path, options);
  const interruption = listenForInterrupts((text) => void process.stderr.write(`${text}\n`));
  try {
    const outcome = await runTasks({
      file: { given, path },
      openProject: () =>
        openProject({
          cwd: process.cwd(),
          flags: settingsFromOptions({ ...options }),
          env: process.env,
          confirm: confirmTrust(),
        }),
      delivery: chooseDelivery(options),
      parallel,
      listen: (item, number, total) => createTaskListener(options, parallel, { item, number, total }),
      warn: printError,
      stop: interruption.stop,
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
      '--tasks needs a file, not standard input.',
      'Finished tasks are marked in the file, so save the list to one first.',
    );
  const others = [options.prompt, options.promptFile, options.issue];
  if (words.length > 0 || others.some((other) => other !== undefined))
    throw usageError('The task is given more than once.', 'Give either --tasks FILE or a single task.');
  if (options.createPr === true)
    throw usageError(
      '--create-pr works with a single task, not with --tasks.',
      'Run the list on a new branch and open a pull request with that branch: git switch --create fixes',
    );
}

function parseParallel({ parallel = '1', isolation }: RunOptions & { readonly isolation?: string }): number {
  const count = Number(parallel);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PARALLEL)
    throw usageError(`--parallel is ${parallel}: it must be a whole number from 1 to ${MAX_PARALLEL}.`);
  if (count > 1 && isolation === 'in-place')
    throw usageError('--parallel needs a workspace for each loop.', 'Leave out --isolation in-place.');
  return count;
}

interface TaskPosition {
  readonly item: TaskItem;
  /** 1-based. */
  readonly number: number;
  readonly total: number;
}

/** Successive loops are shown in full like any run, parallel ones in a few lines each. */
async function createTaskListener(
  options: RunOptions,
  parallel: number,
  { item, number, total }: TaskPosition,
): Promise<TaskListener> {
  const label = `[${number}/${total}]`;
  if (options.format === 'jsonl') return createJsonlListener(item);
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

/** Prints each event of a loop with the key of its task. */
function createJsonlListener({ key }: TaskItem): TaskListener {
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
  printError(`ralph: ${error.message}`);
  if (error.hint !== undefined) printError(error.hint.replace(/^/gm, '  '));
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
  if (has('budget')) return ExitCode.budget;
  return has('unproven') && !has('unverified') ? ExitCode.unproven : ExitCode.unverified;
}
