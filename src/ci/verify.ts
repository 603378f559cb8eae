import { evaluateChange, type ChangedContent } from '../compose/evaluate-change.ts';
import type { Project } from '../compose/project.ts';
import type { RunEvent } from '../events.ts';
import { describeFailures } from '../loop/describe-end.ts';
import { describeNeedless } from '../loop/proof/needless.ts';
import { openRemoteDesk, type RemoteDesk } from '../platform/git/remote.ts';
import type { CiFix, Evaluation } from '../schema/generated.ts';
import { treeWithout } from '../workspace/deliver/verified-commit.ts';
import { matcherOf } from '../workspace/globs.ts';
import { judgesOf } from '../workspace/protect/judges.ts';
import { besideAFix } from './beside-a-fix.ts';
import { changedContents } from './changed-contents.ts';
import type { DefaultChecks } from './default-checks.ts';
import { examinePatch, type Examination } from './patch-examination.ts';
import type { FixPlan } from './fix.ts';
import { readFix, readPatch } from './fix-folder.ts';
import { unrunIn, type ConfirmedTree } from './confirmed-tree.ts';
import { belongsToTry } from './rules/decide-publish.ts';
import { isActing } from './rules/reaches.ts';

const MAX_NAMED = 5;

/** Options of `verifyFix`. */
export interface VerifyOptions {
  readonly plan: FixPlan;
  /** Absolute path of the output folder of `ralph ci fix`. */
  readonly from: string;
  /** The checkout of the plan's commit, with the settings and the checks of the default branch. */
  readonly project: Project;
  /** The configuration of the default branch, which is in place in the checkout. */
  readonly checks: Pick<DefaultChecks, 'take'>;
  readonly task: string;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** Why a result is not confirmed. */
export type UnconfirmedReason =
  | 'no_result'
  | 'other_try'
  | 'nothing_to_verify'
  | 'unusable_checks'
  | 'no_checks'
  | 'bad_patch'
  | 'green_before'
  | 'untried'
  | 'needless'
  | 'still_red';

/** Result of `verifyFix`. */
export type Verification =
  | {
      readonly confirmed: true;
      readonly tree: ConfirmedTree;
      /** Paths of the patch that are not part of the tree. */
      readonly leftOut: readonly string[];
      /** Changed files of the tree in the order of git. */
      readonly files: readonly string[];
      /** Why nobody could try whether each changed block is needed. */
      readonly unknown?: string | undefined;
      readonly evaluation: Evaluation;
    }
  | { readonly confirmed: false; readonly reason: UnconfirmedReason; readonly text: string };

/**
 * Step 3 of `ralph ci`: judges the patch of a fix job again, on another machine. The patch is examined as for publishing,
 * applied to the commit of the plan, and accepted if the checks fail without it and pass with it. Files that no check needs are left out. The tree that passed is
 * named by its git id, so that no other one can be published in its place. Throws RalphError if a check cannot run.
 */
export async function verifyFix(options: VerifyOptions): Promise<Verification> {
  const { plan, from, project, checks, task, signal, emit } = options;
  const fix = await readFix(from);
  const refused = refusal(plan, fix);
  if (refused !== undefined) return refused;
  const { root } = project.repository;
  const desk = await openRemoteDesk({ url: root, token: undefined });
  try {
    const made = await examined(desk, options);
    if (!made.ok) return unconfirmed('bad_patch', made.problems.join(' '));
    const isAllowed = matcherOf(project.settings.allow);
    const changed = await changedContents(desk, plan.head, made.commit);
    const beside = await besideAFix(desk, plan.head, changed);
    const isKept = ({ path }: ChangedContent): boolean => isAllowed(path) || beside.has(path);
    const judged = await checks.take(judgesOf(project.plan, '').commands, {
      files: changed,
      isAllowed,
    });
    if (!judged.ok) return unconfirmed(judged.reason, judged.text);
    const { after, leftOut, untried, needless, unexecuted, unknown } = await evaluateChange(project, {
      ...{ files: judged.files, unread: judged.unread, doubted: judged.doubted },
      ...{ isKept, isActing },
      ...{ task, signal, emit },
    });
    const told = replacedText(judged.replaced);
    if (after === undefined)
      return unconfirmed(
        'green_before',
        `Every check passes here without the patch, so it proves nothing.${told}`,
      );
    if (!after.passed)
      return unconfirmed('still_red', `With the patch the checks fail: ${describeFailures(after)}${told}`);
    if (untried.length > 0)
      return unconfirmed(
        'untried',
        `The time did not suffice to find out whether the checks need ${named(untried)}; --allow keeps files that they need not.`,
      );
    if (needless.length > 0) return unconfirmed('needless', describeNeedless(needless));
    if (unknown === 'over')
      return unconfirmed(
        'untried',
        'The time did not suffice to find out whether the checks need each changed block; --allow with the files permits it, and RALPH_PROOF_TIME: 0s leaves the question out.',
      );
    const positions = leftOut.map((path) => made.files.indexOf(path)).toSorted((a, b) => a - b);
    const tree =
      positions.length === 0 ? made.tree : await treeWithout(desk, { ...made, head: plan.head }, positions);
    const isUntried = unknown !== undefined;
    const files = made.files.filter((path) => !leftOut.includes(path));
    const unrun = unrunIn(files, unexecuted);
    return {
      ...{ confirmed: true, leftOut, files, unknown, evaluation: after },
      tree: { id: tree, leftOut: positions, unrun, ...(isUntried && { isUntried }) },
    };
  } finally {
    desk.close();
  }
}

/** A sentence on files that the branch or the patch brings and that were not judged. */
function replacedText(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return ` Judged as the default branch has them, if it does: ${named([...new Set(paths)])}.`;
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_NAMED).map((path) => JSON.stringify(path));
  return `${shown.join(', ')}${paths.length > MAX_NAMED ? ', …' : ''}`;
}

function refusal(plan: FixPlan, fix: CiFix | string): Verification | undefined {
  if (typeof fix === 'string') return unconfirmed('no_result', `There is no result: ${fix}.`);
  if (!belongsToTry({ id: plan.try_id, branch: plan.branch, head: plan.head }, fix))
    return unconfirmed('other_try', `The result does not belong to the try ${plan.try_id}.`);
  const { verified, status, patch } = fix.verdict;
  return verified && status === 'passed' && patch !== null
    ? undefined
    : unconfirmed('nothing_to_verify', `The loop ended without a fix (${status}).`);
}

async function examined(desk: RemoteDesk, { plan, from, project }: VerifyOptions): Promise<Examination> {
  const patch = await readPatch(from);
  if (patch === undefined) return { ok: false, problems: ['The patch is missing or too long.'] };
  const { allow } = project.settings;
  return examinePatch(desk, { root: project.repository.root, head: plan.head, patch, allow });
}

/** A result that is not confirmed, and why. */
export function unconfirmed(reason: UnconfirmedReason, text: string): Verification {
  return { confirmed: false, reason, text };
}
