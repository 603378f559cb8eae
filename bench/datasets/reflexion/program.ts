import type { LoggedProblem } from './log.ts';

/** Files of a problem's folder. */
export const SOLUTION_FILE = 'solution.py';
export const TEST_FILE = 'tests.py';
export const CHECK_FILE = 'check.py';

/** The program before any attempt: the function has no body yet. */
export function startProgram({ prompt }: LoggedProblem): string {
  return `${prompt.trimEnd()}\n    raise NotImplementedError("no answer yet")\n`;
}

/**
 * The whole program of an answer. Some logs store the function's body only, others the whole function; a whole function
 * stands alone, as in the authors' evaluator.
 */
export function programOf({ prompt, entryPoint }: LoggedProblem, answer: string): string {
  const definition = new RegExp(`^(?:async\\s+)?def\\s+${entryPoint}\\b`, 'm');
  return definition.test(answer) ? answer : prompt + answer;
}

/**
 * Runs the program, the tests and `check(function)` in one namespace, as the authors' evaluator does, and writes the
 * result as TAP. A program that ends the process writes no report, and so does not pass. Arguments: name of the function,
 * path of the report.
 */
export const CHECK_PROGRAM = `import json
import sys

name, report = sys.argv[1:]
scope = {"__name__": "solution"}
problem = None
try:
    for path in ("${SOLUTION_FILE}", "${TEST_FILE}"):
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), scope)
    scope["check"](scope[name])
except BaseException as error:
    problem = f"{type(error).__name__}: {error}"
with open(report, "w", encoding="utf-8") as file:
    file.write("TAP version 13\\n1..1\\n")
    if problem is None:
        file.write(f"ok 1 - check({name})\\n")
    else:
        file.write(f"not ok 1 - check({name})\\n  ---\\n  message: {json.dumps(problem)}\\n  ...\\n")
if problem is not None:
    print(problem, file=sys.stderr)
    sys.exit(1)
`;
