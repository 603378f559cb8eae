import type { Action, Reflection } from '../../schema/generated.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, type Evidence } from './evidence.ts';
import type { Hunk } from './patch-hunks.ts';
import { describeFailure, failureName, joinList, oneLine, renderPlace } from './phrases.ts';

const SHOWN_ACTIONS = 6;

/** The reflection in the first person: actions, their effect, relation to earlier attempts, cause, next step. */
export function renderNarrative(evidence: Evidence, diagnosis: Diagnosis): string {
  const parts = [
    deeds(evidence),
    effect(evidence),
    relation(evidence),
    evidence.alike.length < 2 ? diagnosis.rootCause : '',
    diagnosis.because,
    `In my next attempt I will ${diagnosis.next}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** The actions that caused the result, what they did, and how it led to the failure. */
export function renderReasoning(evidence: Evidence, { because }: Diagnosis): string {
  const { blame, failures, fixed } = evidence;
  const actions = blame.indices.map((index) => `[${index}]`);
  const named = `${actions.length === 1 ? 'Action' : 'Actions'} ${joinList(actions, 8)}`;
  const credit = {
    tampered: `${named} tampered with the basis of the verdict, which was refused.`,
    named_by_new: `${named} changed code that the new failures name.`,
    named_by_old: `${named} changed code that the failures name, and the failures remained.`,
    broke_something: `${named} made the only changes, and new failures appeared.`,
    changed_nothing: `${named} made the only changes${fixed.length === 0 ? '' : ` and fixed ${joinList(fixed.map(failureName))}`}; no remaining failure names them.`,
    no_edit: 'No action changed a file, so no action caused a failure.',
  }[blame.ground];
  const lead = failures[0];
  return `${credit} ${because}${lead === undefined ? '' : ` The evidence is ${describeFailure(lead)}.`}`;
}

function deeds(evidence: Evidence): string {
  const { attempt, changed, input } = evidence;
  const { actions, outcome, ruled_out, strategy } = input.trajectory;
  const start = `In attempt ${attempt} I`;
  if (changed.length === 0) {
    const end = {
      edited: 'left the tree unchanged',
      claimed_done: 'claimed to be done',
      gave_up: 'gave up',
      timed_out: 'ran out of time',
      out_of_budget: 'used up the budget',
      failed: 'stopped with an error',
    }[outcome];
    const tried = ruled_out.tried === 0 ? '' : ` after trying ${plural(ruled_out.tried, 'edit')}`;
    return `${start} changed no file and ${end}${tried}.`;
  }
  const shown = actions
    .map((action, index) => ({ action, index }))
    .filter(({ action }) => action.file_path !== undefined || action.command !== undefined)
    .slice(0, SHOWN_ACTIONS)
    .map(({ action, index }) => `[${index}] ${deed(action)}`);
  const plan = strategy === '' ? '' : ` (${oneLine(strategy, 120)})`;
  const edit = blamedHunk(evidence);
  const lines = edit === undefined ? '' : ` ${rewritten(edit)}`;
  return `${start} changed ${joinList(changed.map((file) => renderPlace({ file })))}${plan}: ${shown.join('; ')}.${lines}`;
}

function deed({ type, description, file_path, command, changes }: Action): string {
  const what = oneLine(description, 140).replace(/[.;]+$/, '');
  const lines =
    changes === undefined || what.includes('+')
      ? ''
      : ` (+${changes.additions ?? 0} −${changes.deletions ?? 0})`;
  const about = file_path ?? (command === undefined ? type.replace('_', ' ') : `\`${oneLine(command, 80)}\``);
  return what.includes(about) ? `${what}${lines}` : `${oneLine(about)}${lines}: ${what}`;
}

function rewritten(hunk: Hunk): string {
  const [before, after] = [oneLine(hunk.removed[0] ?? '', 100), oneLine(hunk.added[0] ?? '', 100)];
  if (after === '') return `At ${renderPlace(hunk)} I removed \`${before}\`.`;
  if (before === '') return `At ${renderPlace(hunk)} I added \`${after}\`.`;
  return `At ${renderPlace(hunk)} I changed \`${before}\` to \`${after}\`.`;
}

function effect({ input, fixed, same, moved, fresh, unseen, changed }: Evidence): string {
  const [before, after] = [input.previous.reward, input.evaluation.reward].map((reward) => reward.toFixed(3));
  const reward =
    before === after ? `The reward stayed at ${after}` : `The reward went from ${before!} to ${after!}`;
  if (fixed.length + fresh.length + unseen.length + moved.length === 0) {
    const unmoved =
      changed.length === 0 ? 'because nothing was changed' : 'so the edit had no effect on the checks';
    return same.length === 0
      ? `${reward}.`
      : `${reward}: ${plural(same.length, 'failure')} before and after, ${unmoved}.`;
  }
  const parts = [
    fixed.length === 0 ? 'nothing was fixed' : `fixed: ${joinList(fixed.map(failureName))}`,
    ...(unseen.length === 0 ? [] : [`no longer run: ${joinList(unseen.map(failureName))}`]),
    ...(moved.length === 0 ? [] : [`failing differently: ${joinList(moved.map(failureName))}`]),
    `unchanged: ${same.length}`,
    fresh.length === 0 ? 'no new failures' : `new: ${joinList(fresh.map(failureName))}`,
  ];
  return `${reward} (${parts.join('; ')}).`;
}

/** Relation to earlier attempts: the same failure again, or another one. */
function relation({ alike, input, failures, changed }: Evidence): string {
  const last = input.window.reduce<Reflection | undefined>(
    (newest, one) => (newest === undefined || one.iteration > newest.iteration ? one : newest),
    undefined,
  );
  if (last === undefined) return '';
  const lead = failures[0];
  if (lead !== undefined && alike.length > 0) return again(alike, failureName(lead), changed);
  const was = last.evaluator_output.errors[0];
  if (was === undefined || lead === undefined)
    return `Attempt ${last.iteration + 1} ended at a reward of ${last.evaluator_output.reward_signal.toFixed(3)}.`;
  return `Unlike attempt ${last.iteration + 1}, which failed at ${failureName(was)}, this one fails at ${failureName(lead)}.`;
}

function again(alike: readonly Reflection[], name: string, changed: readonly string[]): string {
  const stories = alike.map(({ iteration, actor_output, evaluator_output }) => {
    const files = actor_output.files_modified;
    const did = files.length === 0 ? 'changed nothing' : `edited ${joinList(files)}`;
    return `attempt ${iteration + 1} ${did} (${evaluator_output.reward_signal.toFixed(3)})`;
  });
  const before = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  const untried = changed.filter((file) => !before.has(file));
  const added = untried.length > 0 ? ` New this time: ${joinList(untried)}, without effect on it.` : '';
  return `The same failure again, ${name}: ${joinList(stories, 4)}.${added}`;
}
