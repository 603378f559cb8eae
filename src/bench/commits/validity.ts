import { evaluateOnce } from '../../compose/evaluate.ts';
import { openProject } from '../../compose/project.ts';
import type { Config, Evaluation } from '../../schema/generated.ts';
import type { RebuiltBug } from './rebuild.ts';

/** Whether the tests tell the bug from its fix. */
export type Validity =
  | {
      readonly valid: true;
      /** Tests that fail with the bug and pass with the fix. */
      readonly failing: number;
      /** Names of checks that fail with the fix as well, and are left out. */
      readonly skipped: readonly string[];
    }
  | { readonly valid: false; readonly reason: string };

export interface ValidityRequest {
  /** Absolute folder for the workspaces. */
  readonly workspaceDir: string;
  readonly signal: AbortSignal;
}

/**
 * Evaluates the fix, then the bug, as ralph does. Linters and type checkers that the fix does not satisfy are left
 * out; every test must pass with the fix, and one must fail without it. Leaves the bug in the tree.
 */
export async function checkValidity(bug: RebuiltBug, request: ValidityRequest): Promise<Validity> {
  await bug.applyFix();
  const first = await evaluate(bug, [], request);
  const skipped = first.checks
    .filter(({ kind, status }) => kind !== 'tests' && status !== 'pass' && status !== 'skip')
    .map(({ name }) => name);
  const fixed = skipped.length === 0 ? first : await evaluate(bug, skipped, request);
  await bug.removeFix();
  if (!fixed.passed) return { valid: false, reason: `With the fix: ${whyRed(fixed)}` };
  const broken = await evaluate(bug, skipped, request);
  const failing = fixedTests(broken, fixed).length;
  return failing > 0
    ? { valid: true, failing, skipped }
    : { valid: false, reason: 'Without the fix every test passes that passes with it.' };
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

/** Ids of tests that pass in the second evaluation and did not in the first. */
function fixedTests(before: Evaluation, after: Evaluation): string[] {
  const passed = (evaluation: Evaluation): string[] =>
    evaluation.tests.filter(({ status }) => status === 'passed').map(({ id }) => id);
  const passedBefore = new Set(passed(before));
  return passed(after).filter((id) => !passedBefore.has(id));
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
