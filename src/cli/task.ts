import { closeSync, openSync, readSync } from 'node:fs';
import { NO_TASK, type TaskProof } from '../compose/loop/task-proof.ts';
import { messageOf, usageError } from '../errors.ts';

/** The task of a run if the user gives none. */
export const DEFAULT_TASK = 'Make every failing check pass.';

const MAX_TASK_CHARS = 20_000;
/** In UTF-8. */
const MAX_BYTES_PER_CHAR = 4;

export interface TaskOptions {
  readonly prompt?: string;
  readonly promptFile?: string;
  /** `owner/repository#7`. */
  readonly issue?: string;
}

/** The text of a task, and its criteria. */
export interface GivenTask {
  readonly text: string;
  readonly proof: TaskProof;
}

/**
 * The task from the arguments, `--prompt`, `--prompt-file` or `--issue`, which is read from GitHub; DEFAULT_TASK if none
 * is given. Throws RalphError.
 */
export async function readTask(words: readonly string[], options: TaskOptions): Promise<GivenTask> {
  const { prompt, promptFile, issue } = options;
  const given = [words.length > 0 ? words : undefined, prompt, promptFile, issue].filter(
    (source) => source !== undefined,
  );
  if (given.length > 1)
    throw usageError(
      'The task is given more than once.',
      'Give it as arguments, with --prompt, with --prompt-file, or with --issue.',
    );
  if (issue !== undefined) {
    const { readIssueTask } = await import('../ci/issue-task.ts');
    const { statedCriteria } = await import('../tasks/written-criteria.ts');
    const { text, body } = await readIssueTask(issue, process.env);
    return { text, proof: { hasTask: true, criteria: statedCriteria(body) } };
  }
  if (given.length === 0) return { text: DEFAULT_TASK, proof: NO_TASK };
  const text =
    promptFile === undefined
      ? checkTask('The task', prompt ?? words.join(' '))
      : checkTask(`--prompt-file ${promptFile}`, readPromptFile(promptFile));
  return { text, proof: { hasTask: true, criteria: [] } };
}

function checkTask(source: string, text: string): string {
  if (text.trim() === '')
    throw usageError(
      `${source} is empty.`,
      `Describe the task: ralph run "…". Without an argument it is: ${DEFAULT_TASK}`,
    );
  if (text.length > MAX_TASK_CHARS) {
    throw usageError(
      `${source} is too long: the limit is ${MAX_TASK_CHARS} characters.`,
      'Write the details to a file of the repository and name that file in the task.',
    );
  }
  if (text.includes('\0'))
    throw usageError(`${source} is not text: it has a NUL character.`, 'Give a text file in UTF-8.');
  return text.trim();
}

function readPromptFile(path: string): string {
  try {
    return readStart(path, MAX_TASK_CHARS * MAX_BYTES_PER_CHAR + 1);
  } catch (error) {
    throw usageError(`--prompt-file ${path} could not be read: ${messageOf(error)}`);
  }
}

/** At most `maxBytes` bytes of a file, a pipe or a device; `-` is standard input. Throws what the system refuses. */
function readStart(path: string, maxBytes: number): string {
  const file = path === '-' ? 0 : openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxBytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < maxBytes; length += read)
      read = readSync(file, bytes, length, maxBytes - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    if (file !== 0) closeSync(file);
  }
}
