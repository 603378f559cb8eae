import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../src/platform/files/temporary-folder.ts';
import { childEnvironment } from '../../../src/platform/processes/environment.ts';
import { runProcess } from '../../../src/platform/processes/process.ts';
import type { LoggedProblem } from './log.ts';
import { programOf } from './program.ts';
import { TEST_TIMEOUT_MS, type ReplayOptions } from './replay.ts';

/** The result of an answer after the earlier problems of its log, in the same process. */
export interface SharedResult {
  readonly passed: boolean;
  /** Type and message of the exception; '' if it passed. */
  readonly error: string;
  /** Names that the answer uses and does not bind itself, by the earlier problem that bound each one. */
  readonly borrowed: Readonly<Record<string, string>>;
}

/**
 * Runs the last answers of a log in order in one process, as the authors' evaluator does: what one problem defines at
 * its top level stays there for all later ones. Results by id, up to the last problem whose result is wanted; empty if
 * the process was cut short.
 */
export async function runInOneProcess(
  problems: readonly LoggedProblem[],
  wanted: ReadonlySet<string>,
  { python, signal }: ReplayOptions,
): Promise<ReadonlyMap<string, SharedResult>> {
  const last = problems.findLastIndex(({ id }) => wanted.has(id));
  const records = problems.slice(0, last + 1).map((problem) => ({
    id: problem.id,
    name: problem.entryPoint,
    program: programOf(problem, problem.attempts.at(-1) ?? ''),
    test: problem.test,
  }));
  const cwd = makeTemporaryFolder('reflexion');
  try {
    await writeFile(join(cwd, 'problems.json'), JSON.stringify(records));
    await writeFile(join(cwd, 'shared.py'), PROGRAM);
    const args = ['-B', 'shared.py', 'problems.json', String(TEST_TIMEOUT_MS / 1000)];
    const timeoutMs = 60_000 + records.length * TEST_TIMEOUT_MS;
    const env = childEnvironment();
    const { stdout } = await runProcess({
      file: python.executable,
      args,
      cwd,
      env,
      timeoutMs,
      signal,
      keepBytes: 2 ** 24,
    });
    return parseResults(stdout);
  } finally {
    removeTemporaryFolder(cwd);
  }
}

function parseResults(output: string): ReadonlyMap<string, SharedResult> {
  const lines = output.split('\n').filter((line) => line.startsWith(MARK));
  return new Map(
    lines.map((line) => {
      const { id, ...result } = JSON.parse(line.slice(MARK.length)) as SharedResult & { readonly id: string };
      return [id, result];
    }),
  );
}

/** Answers may print. */
const MARK = '@result ';

/** The authors' evaluator runs in a module that has imported all of `typing`; so does this one. */
const PROGRAM = `import ast
import json
import signal
import sys


def over(*_):
    raise TimeoutError("the time limit is over")


def bound_in(tree):
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def free_names(program):
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return set()
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return used - bound_in(tree)


signal.signal(signal.SIGALRM, over)
out = sys.stdout
absent = object()
scope = {"__name__": "evaluator"}
exec("from typing import *", scope)
origin = {}
for problem in json.load(open(sys.argv[1], encoding="utf-8")):
    borrowed = {name: origin[name] for name in free_names(problem["program"]) if name in origin}
    before = dict(scope)
    error = ""
    signal.setitimer(signal.ITIMER_REAL, float(sys.argv[2]))
    try:
        exec(f'{problem["program"]}\\n\\n{problem["test"]}\\n\\ncheck({problem["name"]})\\n', scope)
    except BaseException as failure:
        error = f"{type(failure).__name__}: {failure}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    for name, value in scope.items():
        if before.get(name, absent) is not value:
            origin[name] = problem["id"]
    result = {"id": problem["id"], "passed": error == "", "error": error, "borrowed": borrowed}
    out.write("\\n${MARK}" + json.dumps(result) + "\\n")
    out.flush()
`;
