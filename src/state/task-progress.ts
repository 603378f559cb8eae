import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { TaskNote, TaskProgress } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { writeDurably } from '../platform/files/durable-write.ts';
import { unreadable } from '../platform/files/file-errors.ts';
import { ralphFolder } from '../platform/ralph-folder.ts';
import { keepDamaged } from '../platform/files/set-aside.ts';
import { readOwnFile } from '../platform/files/read-bounded.ts';

/** The loop of each task of one task file. */
export interface ProgressStore {
  /** Undefined if no loop was started for the task. */
  noteOf(key: string): TaskNote | undefined;
  /** Resolves when the note is on the disk. */
  save(key: string, note: TaskNote): Promise<void>;
}

export interface ProgressOptions {
  readonly repositoryRoot: string;
  /** Absolute path of the task file. */
  readonly file: string;
  /** Called if the stored progress is damaged; it is set aside. */
  readonly warn: (text: string) => void;
}

/** Opens the progress of a task file. Throws RalphError if the disk refuses a write. */
export async function openTaskProgress({
  repositoryRoot,
  file,
  warn,
}: ProgressOptions): Promise<ProgressStore> {
  const path = ralphFolder(repositoryRoot).taskProgress(nameFor(file));
  const notes = new Map(Object.entries(await readNotes(path, warn)));
  let writing: Promise<void> = Promise.resolve();
  return {
    noteOf: (key) => notes.get(key),
    save(key, note) {
      notes.set(key, note);
      const text = `${JSON.stringify({ file, tasks: Object.fromEntries(notes) } satisfies TaskProgress, null, 2)}\n`;
      const result = writing.then(() => writeDurably(path, text));
      writing = result.catch(() => undefined);
      return result;
    },
  };
}

function nameFor(file: string): string {
  const plain = basename(file)
    .replace(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40);
  return `${plain}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}.json`;
}

async function readNotes(path: string, warn: (text: string) => void): Promise<TaskProgress['tasks']> {
  let bytes: Buffer;
  try {
    bytes = readOwnFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unreadable(path, error);
  }
  const read = parse(bytes.toString('utf8'));
  if (typeof read !== 'string') return read.tasks;
  warn(`${path} is damaged and was set aside as ${await keepDamaged(path, bytes)}: ${read}.`);
  return {};
}

function parse(text: string): TaskProgress | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return (error as Error).message;
  }
  const checked = validate('task-progress', value);
  return checked.ok ? checked.value : renderProblems(checked.problems);
}
