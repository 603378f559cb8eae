import { evaluateOnce } from '../../../src/compose/evaluate.ts';
import { openProject } from '../../../src/compose/project.ts';
import type { Config, Evaluation } from '../../../src/schema/generated.ts';
import type { RebuiltBug } from './rebuild.ts';

/** Whether the tests tell the bug from its fix. */
export type Validity =
  | {
      readonly valid: true;
      /** Ids of tests that fail with the bug and pass with the fix. */
      readonly failing: readonly string[];
      /** Ids of tests that pass with the bug already. */
      readonly passing: readonly string[];
      /** Tests that fail with the fix as well: they have aged, or the dependencies have moved on. */
      readonly drifted: number;
      /** Names of checks that fail with the fix as well, and are left out. */
      readonly skipped: readonly string[];
      /** `npm test` fails with the fix as well; here it runs the tests alone. */
      readonly testsOnly: boolean;
    }
  | { readonly valid: false; readonly reason: string };

export interface ValidityRequest {
  /** Absolute folder for the workspaces. */
  readonly workspaceDir: string;
  readonly signal: AbortSignal;
}

/**
 * Evaluates the fix, then the bug, as ralph does. What the fix does not satisfy either is not the bug's: linters and
 * type checkers are left out, the rest of `npm test` too, and tests that fail both ways are only counted. One test
 * must fail without the fix and pass with it. Leaves the bug in the tree.
 */
export async function checkValidity(bug: RebuiltBug, request: ValidityRequest): Promise<Validity> {
  await bug.applyFix();
  const first = await evaluate(bug, [], request);
  const skipped = first.checks
    .filter(({ kind, status }) => kind !== 'tests' && status !== 'pass' && status !== 'skip')
    .map(({ name }) => name);
  let fixed = skipped.length === 0 ? first : await evaluate(bug, skipped, request);
  await bug.removeFix();
  const command = fixed.checks.find(({ kind }) => kind === 'tests')?.command;
  const testsOnly = !fixed.passed && command !== undefined;
  if (testsOnly) {
    await bug.replaceTestScript(command);
    await bug.applyFix();
    fixed = await evaluate(bug, skipped, request);
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
    ? 'Without the fix every test passes that passes with it.'
    : `With the fix: ${whyRed(fixed)}`;
  return { valid: false, reason };
}

/** Which of a bug's tests a result does not mend, and which that passed before it breaks. */
export async function judgeResult(
  bug: RebuiltBug,
  { failing, passing, skipped }: Extract<Validity, { valid: true }>,
  request: ValidityRequest,
): Promise<{ readonly left: readonly string[]; readonly broken: readonly string[] }> {
  const passed = new Set(passedIn(await evaluate(bug, skipped, request)));
  return { left: failing.filter((id) => !passed.has(id)), broken: passing.filter((id) => !passed.has(id)) };
}

function passedIn({ tests }: Evaluation): string[] {
  return tests.filter(({ status }) => status === 'passed').map(({ id }) => id);
}

async function evaluate(
  { root }: RebuiltBug,
  skip: readonly string[],
  { workspaceDir, signal }: ValidityRequest,
): Promise<Evaluation> {
  const flags: Config = { workspaceDir, ...(skip.length > 0 && { skip: [...skip] }) };
  const project = await openProject({ cwd: root, flags, env: {} });
  const evaluation = await evaluateOnce(project, { signal, emit: () => {} });
  signal.throwIfAborted();
  return evaluation;
}

function whyRed({ checks, diagnostics }: Evaluation): string {
  const red = checks.find(({ status }) => status !== 'pass' && status !== 'skip');
  if (red === undefined) return 'the evaluation did not pass.';
  if (red.status === 'error') return `${red.name} could not run: ${firstLine(red.detail ?? '')}`;
  const told = diagnostics.find(({ check, severity }) => check === red.name && severity === 'error');
  const count = red.failed > 0 ? `${red.failed} of ${red.total} failed` : red.status;
  return `${red.name}: ${count}${told === undefined ? '.' : `, such as ${firstLine(told.message)}`}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 300);
}
