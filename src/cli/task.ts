import { readFileSync } from 'node:fs';
import { messageOf, usageError } from '../errors.ts';

/** What a run is asked to do where the user says nothing. */
export const DEFAULT_TASK = 'Make every failing check pass.';

const MAX_TASK_CHARS = 20_000;

export interface TaskOptions {
  readonly prompt?: string;
  readonly promptFile?: string;
  /** `owner/repository#7`. */
  readonly issue?: string;
}

/** The task, asked for at GitHub where it is an issue. Throws RalphError. */
export async function findTask(words: readonly string[], options: TaskOptions): Promise<string> {
  const task = taskOf(words, options);
  if (options.issue === undefined) return task;
  const { readIssueTask } = await import('../ci/issue-task.ts');
  return readIssueTask(options.issue, process.env);
}

/** The task from words, `--prompt` or `--prompt-file`, one of them, or `--issue`, at most. Throws a usage error. */
export function taskOf(words: readonly string[], { prompt, promptFile, issue }: TaskOptions): string {
  const given = [words.length > 0, ...[prompt, promptFile].map((text) => text !== undefined)].filter(
    Boolean,
  ).length;
  if (given + (issue === undefined ? 0 : 1) > 1)
    throw usageError(
      'The task is given more than once.',
      'Give it as words, with --prompt, with --prompt-file, or with --issue.',
    );
  const [text, name] =
    promptFile !== undefined
      ? [readTask(promptFile), `--prompt-file ${promptFile}`]
      : [prompt ?? words.join(' '), 'The task'];
  if (given === 0) return DEFAULT_TASK;
  if (text.trim() === '')
    throw usageError(
      `${name} is empty.`,
      `Say what to do: ralph run "…". Without a task it is: ${DEFAULT_TASK}`,
    );
  if (text.length > MAX_TASK_CHARS) {
    throw usageError(
      `${name} has ${text.length} characters; at most ${MAX_TASK_CHARS} are taken.`,
      'Put the detail into a file of the repository and name it in the task.',
    );
  }
  return text.trim();
}

function readTask(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw usageError(`--prompt-file ${path} could not be read: ${messageOf(error)}`);
  }
}
