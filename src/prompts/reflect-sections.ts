import { shownEdit } from '../schema/shown-edit.ts';
import type { Action, CheckResult, Diagnostic, Reflection, SelfReflection } from '../schema/generated.ts';
import { codeSpan } from '../platform/text/code-span.ts';
import { fenced, line, valueLine, within } from './bounded-data.ts';
import type { ReflectPrompt, ReflectSource } from './reflect.ts';
import { renderValues, tellingValues } from './seen-values.ts';

/** Maximum bytes of the sections. */
const LIMITS = {
  reflections: 3600,
  task: 1600,
  said: 250,
  actions: 2400,
  changed: 400,
  checks: 1800,
  output: 800,
  failures: 3800,
  names: 400,
  values: 500,
  tampering: 500,
} as const;
/** A reflection with fewer bytes than this is shown without insights and lessons. */
const MIN_SHARE = 600;
const MAX_FRAMES = 4;

/** Variables for earlier reflections, the task and the actions. */
export function attemptSections({ input, changed }: ReflectSource) {
  const { trajectory, window } = input;
  const { actions, ruled_out: ruledOut } = trajectory;
  const files = within(changed, LIMITS.changed, (file) => line(file, 160));
  const done = within(byRelevance(actions, changed), LIMITS.actions, toAction);
  return {
    attempt: input.iteration,
    reflections: toReflections(window),
    task: fenced(input.task, LIMITS.task),
    actor: {
      outcome: trajectory.outcome,
      strategy: line(trajectory.strategy, LIMITS.said),
      rationale: line(trajectory.rationale, LIMITS.said),
      message: line(trajectory.message, LIMITS.said),
      tried: ruledOut.tried,
      nearest: line(ruledOut.nearest ?? '', LIMITS.said),
    },
    actionCount: actions.length,
    lastAction: actions.length - 1,
    actions: done.shown.sort((a, b) => a.index - b.index),
    actionsCut: done.cut,
    changed: files.shown,
    changedCut: files.cut,
  };
}

/** Variables for check results, failures, tampering and reward. */
export function resultSections(source: ReflectSource) {
  const { evaluation, previous, tampering } = source.input;
  const checks = within(evaluation.checks, LIMITS.checks, (check) => toCheck(check, source));
  const failures = within(source.failures, LIMITS.failures, (failure) => toFailure(failure, source));
  const fixed = within(source.fixed, LIMITS.names, nameOf);
  const unseen = within(source.unseen, LIMITS.names, nameOf);
  const refused = within(tampering, LIMITS.tampering, ({ kind, file, detail }) => ({
    kind,
    file: line(file, 120),
    detail: line(detail, 200),
  }));
  const change = evaluation.reward - previous.reward;
  return {
    checks: checks.shown,
    checksCut: checks.cut,
    failures: failures.shown,
    failuresCut: failures.cut,
    fixed: fixed.shown,
    fixedCut: fixed.cut,
    unseen: unseen.shown,
    unseenCut: unseen.cut,
    tampering: refused.shown,
    tamperingCut: refused.cut,
    rewardBefore: previous.reward.toFixed(3),
    rewardAfter: evaluation.reward.toFixed(3),
    rewardChange: `${change < 0 ? '' : '+'}${change.toFixed(3)}`,
  };
}

function toReflections(window: readonly Reflection[]): ReflectPrompt['reflections'] {
  const share = Math.floor(LIMITS.reflections / Math.max(1, window.length));
  const item = share < MIN_SHARE ? 0 : Math.floor(share / 5);
  const first = (texts: readonly string[]): string[] =>
    texts.slice(0, item === 0 ? 0 : 1).map((text) => line(text, item));
  const leftOut = ({ actionable_insights: insights, lessons_learned: lessons }: SelfReflection): number =>
    [insights, lessons].reduce((sum, texts) => sum + texts.length - first(texts).length, 0);
  return [...window]
    .sort((a, b) => a.iteration - b.iteration)
    .map(({ iteration, actor_output, evaluator_output, self_reflection: self }) => ({
      attempt: iteration + 1,
      number: iteration,
      reward: evaluator_output.reward_signal.toFixed(3),
      category: self.credit_assignment.failure_category,
      changed: line(actor_output.files_modified.join(', '), 120),
      text: line(self.reflection_text, share - 2 * item),
      insights: first(self.actionable_insights),
      lessons: first(self.lessons_learned),
      cut: leftOut(self),
    }));
}

const EDITS: ReadonlySet<string> = new Set(['code_modification', 'file_creation', 'file_deletion']);

/** Edits of files that are still changed first, then other edits, then the rest; newest first within a group. */
function byRelevance(actions: readonly Action[], changed: readonly string[]) {
  const left = new Set(changed);
  const weight = ({ type, file_path: file }: Action): number =>
    EDITS.has(type) ? (file !== undefined && left.has(file) ? 0 : 1) : 2;
  return actions
    .map((action, index) => ({ action, index, weight: weight(action) }))
    .sort((a, b) => a.weight - b.weight || b.index - a.index);
}

function toAction({ action, index }: { readonly action: Action; readonly index: number }) {
  const { type, description, file_path: file, command, changes } = action;
  return {
    index,
    type,
    about: line(file ?? command ?? '', 120),
    counts: changes === undefined ? '' : `+${changes.additions ?? 0} -${changes.deletions ?? 0}`,
    description: line(shownEdit(description), 200),
  };
}

function toCheck({ name, status, detail, command, output }: CheckResult, { failures }: ReflectSource) {
  const silent = (status === 'fail' || status === 'error') && !failures.some(({ check }) => check === name);
  return {
    name: line(name, 60),
    status,
    detail: line(detail, 240),
    command: line(command, 120),
    output: fenced(silent ? output : '', LIMITS.output),
  };
}

function toFailure(
  failure: Diagnostic,
  { fresh, moved, input }: ReflectSource,
): ReflectPrompt['failures'][number] {
  const { check, type, rule, file, line: row, column, message, expected, received, frames } = failure;
  return {
    state: fresh.includes(failure) ? 'new' : moved.includes(failure) ? 'changed' : 'same',
    check: line(check, 60),
    type: type.replace('_', ' '),
    title: codeSpan(line(rule ?? '', 160)),
    place: line([file, row, column].filter((part) => part !== undefined).join(':'), 160),
    message: line(message, 500),
    hasExpected: expected !== undefined,
    hasReceived: received !== undefined,
    expected: valueLine(expected ?? '', 240),
    received: valueLine(received ?? '', 240),
    frames: (frames ?? [])
      .slice(0, MAX_FRAMES)
      .map((frame) =>
        line(`${frame.file}:${frame.line}${frame.function ? ` in ${frame.function}` : ''}`, 120),
      ),
    framesCut: Math.max(0, (frames ?? []).length - MAX_FRAMES),
    values: valuesIn(input, failure),
  };
}

/** Values of a traced run of the failure's test; empty where it was not traced. */
function valuesIn({ trace }: ReflectSource['input'], failure: Diagnostic): string {
  const isTraced = trace !== undefined && trace.testId === failure.test_id;
  return isTraced ? line(renderValues(tellingValues(trace, failure)), LIMITS.values) : '';
}

function nameOf({ check, rule, message, file }: Diagnostic): string {
  return line(`${check}: ${rule ?? message}${file === undefined ? '' : ` in ${file}`}`, 160);
}
