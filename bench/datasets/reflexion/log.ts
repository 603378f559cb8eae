import { usageError } from '../../../src/errors.ts';
import { readJsonLines, type JsonLine } from '../json-lines.ts';

/** One problem of a log of the Reflexion authors' programs (Shinn et al., 2023, `programming_runs`). */
export interface LoggedProblem {
  readonly id: string;
  /** The function up to its body, with its imports and helpers. */
  readonly prompt: string;
  /** Name of the function. */
  readonly entryPoint: string;
  /** The hidden tests: a Python program that defines `check(candidate)`. */
  readonly test: string;
  /**
   * The answers in order, one per attempt; undefined for an attempt whose answer the log does not have. Earlier versions
   * of the authors' program stored the last answer only.
   */
  readonly attempts: readonly (string | undefined)[];
  /** The reflections in order, one per attempt but the last. */
  readonly reflections: readonly string[];
  /** Whether the last answer passed the hidden tests in the authors' run. */
  readonly isSolved: boolean;
}

const NAME = /^[A-Za-z_]\w*$/;

/** Reads a log. Throws a usage error with file, line and field for a file that is no log of Python problems. */
export async function readLog(file: string): Promise<LoggedProblem[]> {
  const lines = await readJsonLines(file);
  if (lines.length === 0) throw usageError(`${file} has no problems.`);
  const placeOf = new Map<string, string>();
  return lines.map((line) => {
    const problem = parseProblem(line);
    const earlier = placeOf.get(problem.id);
    if (earlier !== undefined)
      throw usageError(`${line.place}: problem "${problem.id}" is already at ${earlier}.`);
    placeOf.set(problem.id, line.place);
    return problem;
  });
}

/** Parses one line of a log. Throws a usage error with place and field. */
export function parseProblem({ place, record }: JsonLine): LoggedProblem {
  const { language } = record;
  if (language !== undefined && language !== 'py')
    throw usageError(
      `${place}: field "language" is ${JSON.stringify(language)}: only logs of Python problems can be replayed.`,
    );
  const text = (field: string): string => readText(place, field, record[field]);
  const entryPoint = text('entry_point');
  if (!NAME.test(entryPoint))
    throw usageError(`${place}: field "entry_point" is "${entryPoint}": it must be a function's name.`);
  const reflections = readTexts(place, 'reflections', record['reflections']);
  return {
    id: record['task_id'] === undefined ? text('name') : text('task_id'),
    prompt: text('prompt'),
    entryPoint,
    test: text('test'),
    attempts: attemptsOf({ place, record }, reflections.length),
    reflections,
    isSolved: readTruth(place, 'is_solved', record['is_solved']),
  };
}

function attemptsOf({ place, record }: JsonLine, reflections: number): (string | undefined)[] {
  const stored = readTexts(place, 'implementations', record['implementations']);
  if (stored.length > 0) return stored;
  const solution = readText(place, 'solution', record['solution'], true);
  return [...Array.from({ length: reflections }, () => undefined), solution];
}

function readText(place: string, field: string, value: unknown, mayBeEmpty = false): string {
  if (value === undefined) throw usageError(`${place}: field "${field}" is missing.`);
  if (typeof value !== 'string') throw usageError(`${place}: field "${field}" must be a string.`);
  if (!mayBeEmpty && value.trim() === '') throw usageError(`${place}: field "${field}" is empty.`);
  return value;
}

function readTexts(place: string, field: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value as string[];
  throw usageError(`${place}: field "${field}" must be a list of strings.`);
}

/** Logs of simple runs leave `is_solved` out where the answer failed. */
function readTruth(place: string, field: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  throw usageError(`${place}: field "${field}" must be true or false.`);
}
