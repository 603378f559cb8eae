import { resolve } from 'node:path';
import { restoreDefaultBranch } from '../../ci/default-branch.ts';
import { renderConfirmedTree } from '../../ci/confirmed-tree.ts';
import { withDefaultChecks, type DefaultChecks } from '../../ci/default-checks.ts';
import { readPlan, requireCheckout, type FixPlan } from '../../ci/fix.ts';
import { unconfirmed, verifyFix, type Verification } from '../../ci/verify.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { oneLine } from '../../platform/text/one-line.ts';
import { plural } from '../../platform/text/plural.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { printWarning } from '../messages.ts';
import { settingsFromOptions } from '../options.ts';
import { DEFAULT_TASK } from '../task.ts';
import { openPlannedProject } from './ci-planned-project.ts';
import { reportStep } from './ci-step-report.ts';

const MAX_NAMED = 5;

export interface CiVerifyOptions {
  readonly plan: string;
  readonly from: string;
}

/**
 * `ralph ci verify`: exit code 0 if the patch is confirmed or there is none, 1 if it is not confirmed. The checks are those
 * of the default branch. They run in the sandbox: outside of it, tested code could write the outputs of this job.
 */
export async function ciVerifyCommand(options: CiVerifyOptions): Promise<void> {
  const planFolder = resolve(options.plan);
  const plan = await readPlan(planFolder);
  const root = findRepositoryRoot(process.cwd());
  await requireCheckout(root, plan);
  await restoreDefaultBranch(root, planFolder);
  const interruption = listenForInterrupts(printWarning, 1);
  try {
    const found = await withDefaultChecks(root, planFolder, (checks) =>
      verifyWith(checks, { options, plan, planFolder, signal: interruption.signal }),
    );
    if (interruption.signal.aborted)
      throw new RalphError('Stopped.', { code: 'aborted', exitCode: interruption.exitCode() });
    report(typeof found === 'string' ? unconfirmed('unusable_checks', found) : found);
  } finally {
    interruption.close();
  }
}

interface VerifyRequest {
  readonly options: CiVerifyOptions;
  readonly plan: FixPlan;
  readonly planFolder: string;
  readonly signal: AbortSignal;
}

async function verifyWith(
  checks: DefaultChecks,
  { options, plan, planFolder, signal }: VerifyRequest,
): Promise<Verification> {
  const flags = settingsFromOptions({ ...options });
  const project = await openPlannedProject(planFolder, { sandbox: 'strict', ...flags }).catch(withoutChecks);
  if ('confirmed' in project) return project;
  return verifyFix({
    ...{ plan, project, checks, signal },
    from: resolve(options.from),
    task: plan.task ?? DEFAULT_TASK,
    emit: (event) => {
      if (event.type === 'warning') printWarning(event.text);
    },
  });
}

/** The default branch need not have checks yet. Rejects for every other error. */
function withoutChecks(error: unknown): Verification {
  const isExpected = error instanceof RalphError && /^no_(?:checks|package)$/.test(error.code);
  if (!isExpected) throw error;
  return unconfirmed('no_checks', `By the scripts and settings of the default branch: ${error.message}`);
}

function leftOutText(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return ` Left out, as no check needs it: ${paths.map((path) => JSON.stringify(path)).join(', ')}; --allow keeps it.`;
}

function unknownText(reason: string | undefined): string {
  return reason === undefined ? '' : ` Whether each changed block is needed could not be tried: ${reason}`;
}

function unrunText({ files, tree }: Extract<Verification, { confirmed: true }>): string {
  const { unrun = [] } = tree;
  if (unrun.length === 0) return '';
  const shown = unrun
    .slice(0, MAX_NAMED)
    .map(({ file, first, last }) => `${files[file]}:${first === last ? first : `${first}-${last}`}`);
  return ` No test runs ${shown.join(', ')}${unrun.length > MAX_NAMED ? ' and more' : ''}.`;
}

function report(found: Verification): void {
  const text = found.confirmed
    ? `Confirmed: the checks fail without the patch, and with it ${plural(found.evaluation.checks.length, 'check passes', 'checks pass')}.${leftOutText(found.leftOut)}${unrunText(found)}${unknownText(found.unknown)}`
    : `Not confirmed (${found.reason}): ${found.text}`;
  const isRefused = !found.confirmed && found.reason !== 'nothing_to_verify';
  reportStep(
    {
      text,
      outputs: {
        confirmed: String(found.confirmed),
        reason: found.confirmed ? 'confirmed' : found.reason,
        tree: found.confirmed ? renderConfirmedTree(found.tree) : '',
        why: found.confirmed ? '' : oneLine(found.text, 500),
      },
      annotations: [{ level: isRefused ? 'error' : 'notice', title: 'ralph', message: text }],
    },
    process.env,
  );
  if (isRefused) process.exitCode = ExitCode.unverified;
}
