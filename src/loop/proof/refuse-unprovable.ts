import { ExitCode, RalphError, usageError } from '../../errors.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import type { CheckResult, Evaluation } from '../../schema/generated.ts';
import type { LoopOptions } from '../options.ts';

/** Throws RalphError if a command that is a criterion passes on the base, does not end, or cannot be run. */
export function refuseCommands(base: Evaluation, checks: readonly CheckPlan[]): void {
  for (const plan of checks.filter(({ criterion }) => criterion !== undefined)) {
    const result = base.checks.find(({ name }) => name === plan.name);
    if (result !== undefined) refuseCommand(plan, result, base);
  }
}

function refuseCommand(plan: CheckPlan, result: CheckResult, base: Evaluation): void {
  const option = `${plan.source} ${JSON.stringify(plan.args.join(' '))}`;
  if (result.status === 'pass' || result.status === 'skip')
    throw usageError(
      `${option} already passes, so it proves nothing.`,
      'Give a command that fails until the task is done, or leave it out.',
    );
  if (result.status === 'error')
    throw new RalphError(`${option} could not be run: ${result.detail}`, {
      code: 'usage',
      exitCode: ExitCode.usage,
      hint: 'Correct the command. Its folder is the package, in a copy of your tree.',
    });
  if (base.diagnostics.some(({ check, type }) => check === plan.name && type === 'timeout'))
    throw usageError(
      `${option} did not end: ${result.detail}`,
      'Give a command that ends by itself, or more time: --check-timeout 10m',
    );
}

/** Modules report a missing export as a syntax error: such a test waits for the task. */
const MISSING_EXPORT = /\bexport(s|ed)?\b/i;

/** Throws RalphError if a test file that is a criterion is run by no test runner, or passes on the base. */
export function refuseTestFiles(base: Evaluation, { proof }: Pick<LoopOptions, 'proof'>): void {
  for (const { file, source } of proof.acceptTests) {
    const option = source === 'task_file' ? `The criterion's test ${file}` : `--accept-tests ${file}`;
    const all = base.tests.filter((test) => test.file === file);
    const tests = all.filter(({ status }) => status !== 'skipped');
    if (all.length > 0 && tests.length === 0)
      throw usageError(
        `${option} has only tests that are skipped, so it proves nothing.`,
        'Let at least one of them run.',
      );
    const broken = base.diagnostics.find(
      (one) => one.type === 'syntax_error' && one.file === file && !MISSING_EXPORT.test(one.message),
    );
    if (broken !== undefined)
      throw usageError(
        `${option} cannot be read: ${broken.message.split('\n')[0]}`,
        'Correct the file: its tests must run, and fail for the missing behaviour.',
      );
    if (tests.length === 0)
      throw usageError(
        `${option} is not run by any test runner of the checks.`,
        'Name it as the other test files are named, in the folder where they are. ralph doctor shows the checks.',
      );
    if (tests.every(({ status }) => status === 'passed'))
      throw usageError(
        `${option} already passes, so it proves nothing.`,
        'Give tests that fail until the task is done, or leave it out.',
      );
  }
}

/** Throws RalphError if a task on a green base can be neither done nor proven. */
export function refuseUnprovable(base: Evaluation, { proof }: LoopOptions): void {
  if (!base.passed || !proof.hasTask) return;
  if (proof.asks === 'nobody')
    throw usageError(
      'Every check passes, and the search actor only repairs failing checks: it cannot do this task.',
      'Use a model or an agent: --model provider/model or --agent NAME. Or add a test that fails until the task is done.',
    );
  if (proof.asks === 'command' && !proof.applyUnproven)
    throw usageError(
      'Every check passes, so nothing would prove that the task is done.',
      'Add a command that fails until it is done: --accept "COMMAND"; or your own failing tests: --accept-tests FILE.\nTo take the result without proof: --apply-unproven',
    );
}
