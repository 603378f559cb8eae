import type { Action, Reflection } from '../../schema/generated.ts';
import type { Diagnosis } from './diagnosis.ts';
import { blamedHunk, type Evidence } from './evidence.ts';
import type { Hunk } from './patch-hunks.ts';
import { counted, describe, listed, nameOf, oneLine, spot } from './phrases.ts';

const SHOWN_ACTIONS = 6;

/** The reflection in the first person: what was done, what came of it, why, how it relates to before, what next. */
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

/** Which actions answer for the result, what they did, and why it led to the failure. */
export function renderReasoning(evidence: Evidence, { because }: Diagnosis): string {
  const { blame, failures, fixed } = evidence;
  const actions = blame.indices.map((index) => `[${index}]`);
  const named = `Action${actions.length === 1 ? '' : 's'} ${listed(actions, 8)}`;
  const credit = {
    tampered: `${named} changed what the verdict rests on, which was refused.`,
    named_by_new: `${named} changed code that the new failures name.`,
    named_by_old: `${named} changed code that the failures name, and the failures stayed.`,
    broke_something: `${named} made the only changes, and failures are new since then.`,
    changed_nothing: `${named} made the only changes${fixed.length === 0 ? '' : ` and mended ${listed(fixed.map(nameOf))}`}; no failure that is left names them.`,
    no_edit: 'No action changed a file, so none of them can be credited with a failure.',
  }[blame.ground];
  const lead = failures[0];
  return `${credit} ${because}${lead === undefined ? '' : ` The evidence is ${describe(lead)}.`}`;
}

function deeds(evidence: Evidence): string {
  const { attempt, changed, input } = evidence;
  const { actions, outcome, ruled_out, strategy } = input.trajectory;
  const start = `In attempt ${attempt} I`;
  if (changed.length === 0) {
    const end = {
      edited: 'ended with the tree as it was',
      claimed_done: 'called it done',
      gave_up: 'gave up',
      timed_out: 'ran out of time',
      out_of_budget: 'spent the budget',
      failed: 'was stopped by a failure of my own',
    }[outcome];
    const tried = ruled_out.tried === 0 ? '' : ` after trying ${counted(ruled_out.tried, 'edit')}`;
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
  return `${start} changed ${listed(changed.map((file) => spot({ file })))}${plan}: ${shown.join('; ')}.${lines}`;
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
  if (after === '') return `At ${spot(hunk)} I removed \`${before}\`.`;
  if (before === '') return `At ${spot(hunk)} I added \`${after}\`.`;
  return `At ${spot(hunk)} I turned \`${before}\` into \`${after}\`.`;
}

function effect({ input, fixed, same, moved, fresh, unseen, changed }: Evidence): string {
  const [before, after] = [input.previous.reward, input.evaluation.reward].map((reward) => reward.toFixed(3));
  const reward =
    before === after ? `The reward stayed at ${after}` : `The reward went from ${before!} to ${after!}`;
  if (fixed.length + fresh.length + unseen.length + moved.length === 0) {
    const unmoved =
      changed.length === 0
        ? 'as there was nothing new to judge'
        : 'so the edit did nothing that the checks can see';
    return same.length === 0
      ? `${reward}.`
      : `${reward}: ${counted(same.length, 'failure')} before and after, ${unmoved}.`;
  }
  const parts = [
    fixed.length === 0 ? 'nothing was fixed' : `fixed: ${listed(fixed.map(nameOf))}`,
    ...(unseen.length === 0 ? [] : [`not run any more: ${listed(unseen.map(nameOf))}`]),
    ...(moved.length === 0 ? [] : [`failing otherwise than before: ${listed(moved.map(nameOf))}`]),
    `unchanged: ${same.length}`,
    fresh.length === 0 ? 'nothing new failed' : `new: ${listed(fresh.map(nameOf))}`,
  ];
  return `${reward} (${parts.join('; ')}).`;
}

/** What this attempt has to do with those before it: the same wall again, or another one. */
function relation({ alike, input, failures, changed }: Evidence): string {
  const last = input.window.reduce<Reflection | undefined>(
    (newest, one) => (newest === undefined || one.iteration > newest.iteration ? one : newest),
    undefined,
  );
  if (last === undefined) return '';
  const lead = failures[0];
  if (lead !== undefined && alike.length > 0) return again(alike, nameOf(lead), changed);
  const was = last.evaluator_output.errors[0];
  if (was === undefined || lead === undefined)
    return `Attempt ${last.iteration + 1} ended at a reward of ${last.evaluator_output.reward_signal.toFixed(3)}.`;
  return `Unlike attempt ${last.iteration + 1}, which stopped at ${nameOf(was)}, this one stops at ${nameOf(lead)}.`;
}

function again(alike: readonly Reflection[], name: string, changed: readonly string[]): string {
  const stories = alike.map(({ iteration, actor_output, evaluator_output }) => {
    const files = actor_output.files_modified;
    const did = files.length === 0 ? 'changed nothing' : `edited ${listed(files)}`;
    return `attempt ${iteration + 1} ${did} (${evaluator_output.reward_signal.toFixed(3)})`;
  });
  const before = new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified));
  const untried = changed.filter((file) => !before.has(file));
  const tale = untried.length > 0 ? ` New this time was ${listed(untried)}, without effect on it.` : '';
  return `Again it is ${name}: ${listed(stories, 4)} met it before.${tale}`;
}
