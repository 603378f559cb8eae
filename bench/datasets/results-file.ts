import { existsSync, readFileSync } from 'node:fs';
import { messageOf, usageError } from '../../src/errors.ts';
import { appendLine } from '../../src/platform/files/append-line.ts';

/** Results that outlive the process, so that an interrupted run continues where it ended. */
export interface ResultsFile<Result> {
  /** Results of earlier runs, by id. */
  readonly done: ReadonlyMap<string, Result>;
  /** Stores a result; it survives the end of the process at once. */
  add(id: string, result: Result): void;
}

/** What a run measures: results of a run with other values do not belong to it. */
export type RunKey = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Opens a file of results as JSON lines, or creates it with the first result; without a file, results are not stored.
 * Throws a usage error for a file with another content or the results of another run.
 */
export function openResults<Result>(file: string | undefined, key: RunKey): ResultsFile<Result> {
  if (file === undefined) return { done: new Map(), add: () => {} };
  const lines = readLines(file);
  const head = JSON.stringify({ run: key });
  if (lines.length > 0) checkHead(file, lines[0]!, key);
  let isNew = lines.length === 0;
  return {
    done: new Map(lines.slice(1).map((line, index) => parseResult<Result>(`${file}:${index + 2}`, line))),
    add(id, result) {
      if (isNew) appendLine(file, head);
      isNew = false;
      appendLine(file, JSON.stringify({ id, result }));
    },
  };
}

/** Whole lines; a line that a crash cut off is left out. */
function readLines(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    throw usageError(`--results ${file} cannot be read: ${messageOf(error)}`);
  }
}

function checkHead(file: string, line: string, key: RunKey): void {
  const run = parseObject(`${file}:1`, line)['run'] as Record<string, unknown> | undefined;
  if (run === undefined) throw usageError(`--results ${file}: it is not a file of results.`);
  const wanted = JSON.parse(JSON.stringify(key)) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(run)])];
  const other = names.find((name) => run[name] !== wanted[name]);
  if (other === undefined) return;
  const [was, is] = [JSON.stringify(run[other]) ?? 'absent', JSON.stringify(wanted[other]) ?? 'absent'];
  throw usageError(
    `--results ${file} holds the results of another run: ${other} was ${was} and is ${is}.`,
    'Give a new file, or the options of that run.',
  );
}

function parseResult<Result>(place: string, line: string): [string, Result] {
  const { id, result } = parseObject(place, line);
  if (typeof id === 'string' && result !== undefined) return [id, result as Result];
  throw usageError(`${place}: it must be { "id", "result" }.`);
}

function parseObject(place: string, line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The message is the same.
  }
  throw usageError(`${place}: it must be a JSON object.`, 'Give a new file to --results.');
}
