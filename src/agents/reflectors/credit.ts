import { capitalise, failureName, joinList } from '../../prompts/phrases.ts';
import type { Hunk } from '../../platform/text/patch-hunks.ts';
import type { Action, Evaluation } from '../../schema/generated.ts';
import type { Claim } from './claims/claim.ts';
import { holds } from './claims/checks.ts';
import { keepsCode } from './claims/code-as-it-was.ts';
import { renderClaim, renderRewards } from './claims/render.ts';
import { filesOf, type Evidence } from './evidence.ts';
import { isOfProtected } from './protected-kinds.ts';
import { causeClaims } from './actor-claims.ts';
import { reportedClaims, stated } from './narrative.ts';

/** The actions behind the failures, by what changed between the evaluations before and after the attempt. */
export interface Credit {
  /** 0-based indices into the trajectory's actions. */
  readonly indices: readonly number[];
  readonly ground:
    | 'tampered'
    | 'refused'
    | 'named_by_new'
    | 'run_by_new'
    | 'before_new'
    | 'unrun_by_new'
    | 'without_effect'
    | 'improved'
    | 'no_code'
    | 'no_edit';
}

const EDITS = new Set(['code_modification', 'file_creation', 'file_deletion']);

/**
 * Edits are blamed for failures that are new, if these name their file, their test ran it, or nothing is known of either; and
 * for having no effect, if nothing was fixed. Of an attempt that improved only those are blamed that the traced test of a new
 * failure ran.
 */
export function assignCredit({ input, changed, hunks, fresh, fixed }: Evidence): Credit {
  const { trajectory, tampering, evaluation, previous } = input;
  const touched = new Set(
    [...tampering, ...(evaluation.tampering ?? [])].flatMap(({ file }) =>
      file === '' ? [] : [normalise(file)],
    ),
  );
  const indicesOf = (files: ReadonlySet<string>, onlyEdits: boolean): number[] =>
    trajectory.actions.flatMap(({ type, file_path: file }, index) =>
      file !== undefined && files.has(normalise(file)) && (!onlyEdits || EDITS.has(type)) ? [index] : [],
    );
  const tampered = indicesOf(touched, false);
  const isProtected = [...tampering, ...(evaluation.tampering ?? [])].some(({ kind }) => isOfProtected(kind));
  if (tampered.length > 0) return { indices: tampered, ground: isProtected ? 'tampered' : 'refused' };
  const edits = indicesOf(new Set(changed.map(normalise)), true).filter((index) =>
    isLeft(trajectory.actions[index]!, hunks),
  );
  if (edits.length === 0) return { indices: [], ground: 'no_edit' };
  // Errors of a tool that are new or gone may be by a comment.
  if (fixed.length + fresh.length === 0 && keepsCode(input)) return { indices: [], ground: 'no_code' };
  const lost = evaluation.missing_tests.filter((id) => isPassing(previous, id));
  const improved =
    lost.length === 0 && (evaluation.reward > previous.reward || (fixed.length > 0 && fresh.length === 0));
  if (fresh.length > 0) {
    const files = new Set(fresh.flatMap(filesOf).map(normalise));
    const isNamed = (file: string): boolean =>
      files.has(file) || fresh.some(({ message }) => message.includes(file));
    const named = edits.filter((index) => isNamed(normalise(trajectory.actions[index]!.file_path!)));
    if (named.length > 0 && !improved) return { indices: named, ground: 'named_by_new' };
    const run = edits.filter((index) =>
      filesRunByNew({ input, fresh }).has(normalise(trajectory.actions[index]!.file_path!)),
    );
    // Without a gain in the reward all edits stand before the new failure; which of them did it, the trace says.
    if (run.length > 0 && (run.length < edits.length || improved))
      return { indices: run, ground: 'run_by_new' };
    if (!improved)
      return isRunByNone({ input, fresh })
        ? { indices: [], ground: 'unrun_by_new' }
        : { indices: edits, ground: 'before_new' };
  }
  return improved ? { indices: [], ground: 'improved' } : { indices: edits, ground: 'without_effect' };
}

function isPassing({ tests }: Evaluation, id: string): boolean {
  return tests.some((test) => test.id === id && test.status === 'passed');
}

/** Characters of a diff that was too long to be recorded as a whole. */
const CUT = /characters left out/;

/** False for an edit of which a later one of the attempt left nothing; true where that is not known. */
function isLeft({ changes, file_path: file }: Action, hunks: readonly Hunk[]): boolean {
  const diff = changes?.diff ?? '';
  const marked = (mark: string): string[] =>
    diff
      .split('\n')
      .flatMap((row) => (row.startsWith(mark) && row.slice(1).trim() !== '' ? [row.slice(1)] : []));
  const [added, removed] = [marked('+'), marked('-')];
  if (added.length + removed.length === 0 || CUT.test(diff)) return true;
  const own = hunks.filter((hunk) => normalise(hunk.file) === normalise(file ?? ''));
  const [written, gone] = [own.flatMap((hunk) => hunk.added), own.flatMap((hunk) => hunk.removed)];
  return added.some((row) => written.includes(row)) || removed.some((row) => gone.includes(row));
}

/** Files with changed lines that the test of a new failure was seen to run. */
export function filesRunByNew({ input: { trace }, fresh }: Pick<Evidence, 'input' | 'fresh'>): Set<string> {
  const isNew = trace !== undefined && fresh.some(({ test_id: id }) => id === trace.testId);
  return new Set(isNew ? trace.ran.map(({ file }) => file) : []);
}

/** True if the test of a new failure was seen to run none of the edits: it may fail by the clock or by chance. */
function isRunByNone({ input, fresh }: Pick<Evidence, 'input' | 'fresh'>): boolean {
  const failure = fresh.find(({ test_id: id }) => id !== undefined && id === input.trace?.testId);
  return failure !== undefined && holds({ kind: 'ran_no_line', failure }, input);
}

/** The cause where it is known, else that it is not, and what is seen. */
export function renderCause(evidence: Evidence): string {
  const [cause] = causeClaims(evidence);
  const known = cause === undefined ? 'The cause is not known.' : capitalise(`${causeText(cause)}.`);
  const seen = stated(evidence, reportedClaims(evidence));
  return seen === '' ? known : `${known} Seen: ${seen}`;
}

function causeText(cause: Claim): string {
  if (cause.kind === 'on_edited_line')
    return `${failureName(cause.failure)} ${failureName(cause.failure).startsWith('the test ') ? 'fails' : 'is'} on a line that the attempt wrote`;
  return cause.kind === 'tampered' ? renderClaim(cause) : `no file was changed: ${renderClaim(cause)}`;
}

/** The credit as one sentence. */
export function renderCredit({ input, fixed, fresh }: Evidence, { indices, ground }: Credit): string {
  const actions = indices.map((index) => `[${index}]`);
  const named = `${actions.length === 1 ? 'Action' : 'Actions'} ${joinList(actions, 8)}`;
  switch (ground) {
    case 'tampered':
      return `${named} edited files on which the verdict depends.`;
    case 'refused':
      return `${named} made an edit that is refused, whatever the checks say.`;
    case 'named_by_new':
      return `${named} edited files that the new failures name.`;
    case 'run_by_new':
      return `${named} edited lines that the test of a new failure ran.`;
    case 'before_new':
      return `${named} edited files; after the attempt there ${fresh.length === 1 ? 'was a new failure' : 'were new failures'}.`;
    case 'unrun_by_new':
      return 'No action is blamed: a traced run of the test of a new failure executed no line that the attempt wrote.';
    case 'without_effect':
      return `${named} edited files; none of the failures that the checks listed before is known to be fixed.`;
    case 'improved': {
      const [before, after] = [input.previous.reward, input.evaluation.reward];
      return before < after
        ? `No action is blamed: the reward rose from ${renderRewards(before, after).join(' to ')}${fixed.length === 0 ? '' : ', and failures were fixed'}.`
        : 'No action is blamed: failures were fixed, and none is new.';
    }
    case 'no_code':
      return 'No action is blamed: the attempt changed no code.';
    case 'no_edit':
      return 'No recorded action has an edit that is still in the tree.';
  }
}

function normalise(path: string): string {
  return path.replace(/^\.?\/+/, '');
}
