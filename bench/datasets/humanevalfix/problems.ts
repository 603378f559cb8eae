import { readFile } from 'node:fs/promises';
import { messageOf, usageError } from '../../../src/errors.ts';

/** One problem of a HumanEvalFix file: a small program with one bug, its tests and its documentation. */
export interface Problem {
  readonly taskId: string;
  /** Text up to the body of the function, with its helpers. */
  readonly declaration: string;
  /** The rest of the program, which has the bug. */
  readonly buggySolution: string;
  /** The full tests: a program that uses `console.assert`. */
  readonly test: string;
  /** The tests in the problem's description; may be empty. */
  readonly exampleTest: string;
  /** The function's documentation; may be empty. */
  readonly docstring: string;
  /** Name of the function. */
  readonly entryPoint: string;
  readonly bugType: string;
}

/** Field of the file by field of a problem, and whether it may be empty or absent. */
const FIELDS = {
  taskId: { name: 'task_id', optional: false },
  declaration: { name: 'declaration', optional: false },
  buggySolution: { name: 'buggy_solution', optional: false },
  test: { name: 'test', optional: false },
  exampleTest: { name: 'example_test', optional: true },
  docstring: { name: 'docstring', optional: true },
  entryPoint: { name: 'entry_point', optional: false },
  bugType: { name: 'bug_type', optional: false },
} as const satisfies Readonly<Record<keyof Problem, { name: string; optional: boolean }>>;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Reads a file of problems, one JSON object per line. Throws a usage error with file, line and field. */
export async function readProblems(file: string): Promise<Problem[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(`${file} cannot be read: ${messageOf(error)}`);
  });
  return parseProblems(file, text);
}

/** Parses the text of a problem file; `file` is for messages. Throws as `readProblems` does. */
export function parseProblems(file: string, text: string): Problem[] {
  const problems: Problem[] = [];
  const lineOfTask = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${file}:${index + 1}`;
    const problem = parseProblem(place, line);
    const earlier = lineOfTask.get(problem.taskId);
    if (earlier !== undefined)
      throw usageError(`${place}: task_id "${problem.taskId}" is already used on line ${earlier}.`);
    lineOfTask.set(problem.taskId, index + 1);
    problems.push(problem);
  }
  if (problems.length === 0) throw usageError(`${file} has no problems.`);
  return problems;
}

/** The problems with these ids, in the order of the file; all if `ids` is undefined. Throws a usage error for an unknown id. */
export function selectProblems(problems: readonly Problem[], ids: readonly string[] | undefined): Problem[] {
  if (ids === undefined) return [...problems];
  const unknown = ids.find((id) => !problems.some(({ taskId }) => taskId === id));
  if (unknown !== undefined) throw usageError(`--only ${unknown}: the file has no such task_id.`);
  return problems.filter(({ taskId }) => ids.includes(taskId));
}

function parseProblem(place: string, line: string): Problem {
  const record = parseRecord(place, line);
  const problem = Object.fromEntries(
    Object.entries(FIELDS).map(([key, field]) => [key, readField(place, record, field)]),
  ) as Record<keyof Problem, string>;
  if (!IDENTIFIER.test(problem.entryPoint))
    throw usageError(
      `${place}: field "entry_point" is "${problem.entryPoint}": it must be a function's name.`,
    );
  return problem;
}

function parseRecord(place: string, line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw usageError(`${place}: not JSON: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError(`${place}: it must be a JSON object.`);
}

function readField(
  place: string,
  record: Readonly<Record<string, unknown>>,
  { name, optional }: { readonly name: string; readonly optional: boolean },
): string {
  const value = record[name];
  if (optional && (value === undefined || value === null)) return '';
  if (value === undefined) throw usageError(`${place}: field "${name}" is missing.`);
  if (typeof value !== 'string') throw usageError(`${place}: field "${name}" must be a string.`);
  if (!optional && value.trim() === '') throw usageError(`${place}: field "${name}" is empty.`);
  return value;
}
