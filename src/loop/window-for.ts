import { withoutDanger } from '../platform/redaction/unsafe-text.ts';
import { FILE_CASE } from '../schema/file-case.ts';
import type { Evaluation, Reflection } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { EvaluatedTree, LoopRun } from './loop-run.ts';
import { toldOfEarlierLoop } from './earlier-told.ts';
import { withRuledOut } from './ruled-out.ts';
import { stepHolds } from './step-holds.ts';
import { omegaFor, selectWindow } from './window.ts';

/**
 * The reflections that an attempt is shown: the Ω window over the loop's own. Places that they leave empty go to the
 * newest reflections of earlier loops with the same task or one of the present failures, placed before the loop's own.
 * Each says if its edits are not in the tree, and only the newest one keeps its advice unless its failures and places are still
 * there. Empty for a strategy without reflections. `iteration` is the attempt's, 1-based; the last argument is
 * the tree that it starts from.
 */
export async function windowFor(
  loop: LoopRun,
  iteration: number,
  { tree, evaluation }: EvaluatedTree,
): Promise<Reflection[]> {
  const { omega, strategy } = loop.options;
  if (!strategy.includes('reflexion')) return [];
  const episodes = await episodesBefore(loop, iteration);
  // The places that reflections advise are looked up in the workspace, so it must hold this tree.
  if (episodes.length + (loop.options.earlier ?? []).length > 0) await loop.moveTo(tree);
  const newest = episodes.at(-1)?.iteration;
  const own = ownWindow(loop, episodes, evaluation).map((reflection) => {
    const attempt = loop.attempts[reflection.iteration];
    const shown = withRuledOut(reflection, attempt?.trajectory.ruled_out.edits);
    const isCurrent =
      reflection.iteration === newest ||
      (sharesFailure(reflection, evaluation) && advisesHere(loop, reflection, evaluation));
    return aboutPresentTree(shown, { isKept: isInTree(loop, attempt), isCurrent });
  });
  const earlier = withoutRepetition(earlierFor(loop, evaluation));
  if (earlier.length === 0) return own;
  const places = omegaFor(omega, loop.baseline.verification_type, [...earlier, ...own]) - own.length;
  return places <= 0 ? own : [...earlier.slice(-places), ...own];
}

/** Reflections of earlier loops with the same task or a failure of this evaluation, oldest first, after the newest imported one. */
function earlierFor(loop: LoopRun, evaluation: Evaluation): Reflection[] {
  const { earlier = [], task } = loop.options;
  const related = earlier.filter(
    (one) => one.task_description === task || sharesFailure(one, evaluation) || hadRenamed(one, evaluation),
  );
  const all = related.filter(({ imported }) => imported !== true);
  // An attempt that changed nothing tells little: it takes no place of one that did.
  const edited = all.filter(({ actor_output: { files_modified: files } }) => files.length > 0);
  const own = [...all.filter((one) => !edited.includes(one)), ...edited];
  // An imported one is told in so few words that a second one says nothing more.
  const imported = related.filter((one) => one.imported === true).slice(-1);
  return [...imported, ...own].map((one) => {
    const isCurrent = sharesFailure(one, evaluation) && advisesHere(loop, one, evaluation);
    const self = screened(toldOfEarlierLoop(one, evaluation, isCurrent));
    return { ...one, self_reflection: self };
  });
}

/** The newest of those that are told in the same words. */
function withoutRepetition(reflections: readonly Reflection[]): Reflection[] {
  const textOf = ({ self_reflection: self }: Reflection): string => self.reflection_text;
  return reflections.filter(
    (one, index) => !reflections.slice(index + 1).some((later) => textOf(later) === textOf(one)),
  );
}

/** True if what a reflection advises is about what is in the tree that the next attempt starts from. */
function advisesHere({ ports }: LoopRun, reflection: Reflection, evaluation: Evaluation): boolean {
  const { actionable_insights: steps } = reflection.self_reflection;
  return steps.every((step) => stepHolds(step, evaluation, ports.workspace.root));
}

/** True for a common failure; of commands that name neither test, rule nor file, the message alone makes none common. */
function sharesFailure(
  { evaluator_output: { errors, results } }: Reflection,
  evaluation: Evaluation,
): boolean {
  const { diagnostics, checks } = evaluation;
  const present = new Map(diagnostics.map((one) => [one.fingerprint, one]));
  const failing = new Set(results.flatMap(({ tool, status }) => (status === 'fail' ? [tool] : [])));
  return errors.some(({ fingerprint }) => {
    const failure = present.get(fingerprint);
    if (failure === undefined) return false;
    const { test_id: id, rule, file, check: name } = failure;
    if ((id ?? rule ?? file) !== undefined) return true;
    const check = checks.find((one) => one.name === name);
    return check !== undefined && failing.has(check.command);
  });
}

/**
 * True for a reflection on a test that is gone, while one of the same title fails in another file, or one that fails in the same
 * way in the same file: the test or its file was renamed.
 */
function hadRenamed(
  { evaluator_output: { errors } }: Reflection,
  { diagnostics, tests }: Evaluation,
): boolean {
  const ids = new Set(tests.map(({ id }) => id));
  const gone = errors.filter(({ test_id: id }) => id !== undefined && !ids.has(id));
  return gone.some((one) =>
    diagnostics.some((failure) => {
      if (failure.test_id === undefined || failure.check !== one.check) return false;
      const { rule } = failure;
      if (rule !== undefined && rule !== FILE_CASE && rule === one.rule) return true;
      const { message, expected, received, file } = failure;
      const isValued = expected !== undefined && received !== undefined;
      return (
        isValued &&
        file === one.file &&
        message === one.message &&
        expected === one.expected &&
        received === one.received
      );
    }),
  );
}

/** True if the tree that the next attempt starts from has the edits of an earlier attempt. */
function isInTree(loop: LoopRun, attempt: Attempt | undefined): boolean {
  const { retryFrom } = loop.options;
  if (attempt === undefined || attempt.changes.files.length === 0) return true;
  return retryFrom === 'last' || (retryFrom === 'best' && attempt.best);
}

const ROLLED_BACK = 'The edits of this attempt are not in the tree now.';

/** The reflection with a note where its edits were taken back, and without advice on failures that are gone. */
function aboutPresentTree(
  reflection: Reflection,
  { isKept, isCurrent }: { readonly isKept: boolean; readonly isCurrent: boolean },
): Reflection {
  const self = screened(reflection.self_reflection);
  const changedNothing = reflection.actor_output.files_modified.length === 0;
  const isSaid = /\bthis edit was not kept\b/i.test(self.reflection_text);
  const note = isKept || changedNothing || isSaid ? '' : `${ROLLED_BACK} `;
  const advice = self.actionable_insights;
  return {
    ...reflection,
    self_reflection: {
      ...self,
      reflection_text: note + (isCurrent ? self.reflection_text : withoutNextStep(self.reflection_text)),
      actionable_insights: isCurrent ? advice : [],
    },
  };
}

/** Every text that an attempt may be shown, without unsafe sentences: records may come from outside. */
function screened(self: Reflection['self_reflection']): Reflection['self_reflection'] {
  return {
    ...self,
    reflection_text: withoutDanger(self.reflection_text),
    actionable_insights: self.actionable_insights.map(withoutDanger),
    lessons_learned: self.lessons_learned.map(withoutDanger),
  };
}

function withoutNextStep(text: string): string {
  const at = text.search(/(?:Not checked: )?In my next attempt(?![^]*In my next attempt)/);
  return at <= 0 ? text : text.slice(0, at).trimEnd();
}

/** Stored reflections of this loop on the attempts before `iteration`, which is 1-based. */
export async function episodesBefore({ ports }: LoopRun, iteration: number): Promise<Reflection[]> {
  const episodes = await ports.memory.episodes(ports.store.loopId);
  return episodes.filter((reflection) => reflection.iteration < iteration - 1);
}

/** The Ω window over reflections of this loop. */
export function ownWindow(
  { baseline, options }: LoopRun,
  reflections: readonly Reflection[],
  { diagnostics }: Evaluation,
): Reflection[] {
  const { windowPolicy: policy, windowTokens: maxTokens } = options;
  const omega = omegaFor(options.omega, baseline.verification_type, reflections);
  return selectWindow(reflections, { omega, policy, maxTokens, failures: diagnostics });
}
