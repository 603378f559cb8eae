import { evaluateOnce } from '../../../src/compose/evaluate.ts';
import { openProject } from '../../../src/compose/project.ts';
import type { Config, Evaluation } from '../../../src/schema/generated.ts';
import type { RebuiltBug } from './rebuild.ts';

/** Whether some test fails with the bug and passes with the fix. */
export type Validity =
  | {
      readonly valid: true;
      /** Ids of tests that fail with the bug and pass with the fix. */
      readonly failing: readonly string[];
      /** Ids of tests that pass with the bug. */
      readonly passing: readonly string[];
      /** Number of tests that fail with the fix as well: they are out of date, or dependencies have changed. */
      readonly drifted: number;
      /** Names of checks that fail with the fix as well and are skipped. */
      readonly skipped: readonly string[];
      /** True if `npm test` fails with the fix as well and is replaced by the test runner alone. */
      readonly testsOnly: boolean;
    }
  | { readonly valid: false; readonly reason: string };

/** How to evaluate a bug. */
export interface ValidityRequest {
  /** Absolute path of the folder for the workspaces. */
  readonly workspaceDir: string;
  readonly signal: AbortSignal;
}

/**
 * Evaluates the fix, then the bug, as ralph does. Failures that the fix has as well are not the bug's: such linters and
 * type checkers are skipped, a failing `npm test` is replaced by the test runner alone, and tests that fail both ways
 * are only counted. Valid if some test fails without the fix and passes with it. Leaves the bug in the tree.
 */
export async function checkValidity(bug: RebuiltBug, request: ValidityRequest): Promise<Validity> {
  await bug.applyFix();
  let { skipped, evaluation: fixed } = await evaluateTests(bug, request);
  await bug.removeFix();
  const command = fixed.checks.find(({ kind }) => kind === 'tests')?.command;
  const testsOnly = !fixed.passed && command !== undefined;
  if (testsOnly) {
    await bug.replaceTestScript(command);
    await bug.applyFix();
    // The script may have run other checks as well, which are no longer there to be skipped.
    ({ skipped, evaluation: fixed } = await evaluateTests(bug, request));
    await bug.removeFix();
  }
  const broken = await evaluate(bug, skipped, request);
  const passing = passedIn(broken);
  const failing = passedIn(fixed).filter((id) => !passing.includes(id));
  if (failing.length > 0) {
    const drifted = fixed.tests.filter(({ status }) => status === 'failed').length;
    return { valid: true, failing, passing, drifted, skipped, testsOnly };
  }
  const reason = fixed.passed
    ? 'Every test that passes with the fix also passes without it.'
    : `With the fix: ${whyRed(fixed)}`;
  return { valid: false, reason };
}

/** The bug's failing tests that ralph's result leaves failing, and the passing tests that it breaks; by id. */
export async function judgeResult(
  bug: RebuiltBug,
  { failing, passing, skipped }: Extract<Validity, { valid: true }>,
  request: ValidityRequest,
): Promise<{ readonly left: readonly string[]; readonly broken: readonly string[] }> {
  const passed = new Set(passedIn(await evaluate(bug, skipped, request)));
  return { left: failing.filter((id) => !passed.has(id)), broken: passing.filter((id) => !passed.has(id)) };
}

/** An evaluation without the checks that fail beside the tests, and the names of these. */
async function evaluateTests(
  bug: RebuiltBug,
  request: ValidityRequest,
): Promise<{ readonly skipped: readonly string[]; readonly evaluation: Evaluation }> {
  const evaluation = await evaluate(bug, [], request);
  const skipped = evaluation.checks
    .filter(({ kind, status }) => kind !== 'tests' && status !== 'pass' && status !== 'skip')
    .map(({ name }) => name);
  return skipped.length === 0
    ? { skipped, evaluation }
    : { skipped, evaluation: await evaluate(bug, skipped, request) };
}

function passedIn({ tests }: Evaluation): string[] {
  return tests.filter(({ status }) => status === 'passed').map(({ id }) => id);
}

async function evaluate(
  { root }: RebuiltBug,
  skip: readonly string[],
  { workspaceDir, signal }: ValidityRequest,
): Promise<Evaluation> {
  const flags: Config = skip.length > 0 ? { workspaceDir, skip: [...skip] } : { workspaceDir };
  const project = await openProject({ cwd: root, flags, env: {} });
  const { evaluation } = await evaluateOnce(project, { signal, emit: () => {} });
  signal.throwIfAborted();
  return evaluation;
}

function whyRed({ checks, diagnostics }: Evaluation): string {
  const red = checks.find(({ status }) => status !== 'pass' && status !== 'skip');
  if (red === undefined) return 'the evaluation failed.';
  if (red.status === 'error') return `${red.name} could not run: ${firstLine(red.detail ?? '')}`;
  const first = diagnostics.find(({ check, severity }) => check === red.name && severity === 'error');
  const count = red.failed > 0 ? `${red.failed} of ${red.total} failed` : red.status;
  return `${red.name}: ${count}${first === undefined ? '.' : `, such as ${firstLine(first.message)}`}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 300);
}
