import { usageError } from '../../../src/errors.ts';
import { parseJsonLines, readJsonLines, type JsonLine } from '../json-lines.ts';

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
  return problemsOf(file, await readJsonLines(file));
}

/** Parses the text of a problem file; `file` is for messages. Throws as `readProblems` does. */
export function parseProblems(file: string, text: string): Problem[] {
  return problemsOf(file, parseJsonLines(file, text));
}

function problemsOf(file: string, lines: readonly JsonLine[]): Problem[] {
  const problems: Problem[] = [];
  const placeOfTask = new Map<string, string>();
  for (const line of lines) {
    const problem = parseProblem(line);
    const earlier = placeOfTask.get(problem.taskId);
    if (earlier !== undefined)
      throw usageError(
        `${line.place}: task_id "${problem.taskId}" is already used on line ${earlier.slice(earlier.lastIndexOf(':') + 1)}.`,
      );
    placeOfTask.set(problem.taskId, line.place);
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

function parseProblem({ place, record }: JsonLine): Problem {
  const problem = Object.fromEntries(
    Object.entries(FIELDS).map(([key, field]) => [key, readField(place, record, field)]),
  ) as Record<keyof Problem, string>;
  if (!IDENTIFIER.test(problem.entryPoint))
    throw usageError(
      `${place}: field "entry_point" is "${problem.entryPoint}": it must be a function's name.`,
    );
  return problem;
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
