import { evaluateOnce } from '../../src/compose/evaluate.ts';
import { openProject } from '../../src/compose/project.ts';
import type { Evaluation } from '../../src/schema/generated.ts';

/** Test results of one tree. */
export interface TestResults {
  /** Ids of the tests that passed. */
  readonly passed: ReadonlySet<string>;
  /** Ids of those that failed. */
  readonly failed: ReadonlySet<string>;
  readonly evaluation: Evaluation;
}

/**
 * Runs the tests of a repository (`root`, absolute) once, as `ralph evaluate` does; linters and type checkers are left
 * out. `workspaceDir` is an absolute folder for the workspaces. Throws RalphError if the tests cannot run.
 */
export async function runTests(
  root: string,
  { workspaceDir, signal }: { readonly workspaceDir: string; readonly signal: AbortSignal },
): Promise<TestResults> {
  const flags = { workspaceDir, skip: ['types', 'lint'] };
  const project = await openProject({ cwd: root, flags, env: {} });
  const { evaluation } = await evaluateOnce(project, { signal, emit: () => {} });
  signal.throwIfAborted();
  const idsOf = (status: string): ReadonlySet<string> =>
    new Set(evaluation.tests.filter((test) => test.status === status).map(({ id }) => id));
  return { passed: idsOf('passed'), failed: idsOf('failed'), evaluation };
}
