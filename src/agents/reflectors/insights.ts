import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import { isTestFile, type Evidence } from './evidence.ts';
import { lookAfter } from './next-place.ts';
import { capitalise, describeFailure, failureName, joinList, oneLine, renderPlace } from './phrases.ts';

/** Next steps in order: 1 to 8 sentences that each name a place, a failure or an edit. */
export function renderInsights(evidence: Evidence, { next }: Diagnosis): string[] {
  const insights = [
    `${capitalise(next)}.`,
    ...ruledOut(evidence, next),
    ...keepOrDrop(evidence, next),
    ...changeApproach(evidence),
    ...lookAfter(evidence, 3),
  ];
  return [...new Set(insights)].slice(0, 8);
}

/** Facts about the repository that hold beyond this attempt: 0 to 3 sentences without attempt numbers. */
export function renderLessons(evidence: Evidence, { lesson }: Diagnosis): string[] {
  const lessons = [...(lesson === '' ? [] : [capitalise(lesson)]), ...reaches(evidence)];
  return [...new Set(lessons)].slice(0, 3);
}

function ruledOut({ input }: Evidence, next: string): string[] {
  const { tried, edits, nearest } = input.trajectory.ruled_out;
  if (edits.length === 0) return [];
  const some = joinList(
    edits.slice(-3).map((edit) => `\`${oneLine(edit.replace(/ @[0-9a-f]+( ~[0-9a-f]+)?$/, ''), 120)}\``),
    3,
  );
  const near =
    nearest === undefined || next.includes('the nearest edit')
      ? []
      : [`Start from the nearest edit so far: ${oneLine(nearest, 300)}.`];
  return [`Do not repeat edits that are ruled out (${plural(tried, 'edit')} this time): ${some}.`, ...near];
}

function keepOrDrop({ blame, changed, fixed, fresh, input, rewardChange }: Evidence, next: string): string[] {
  if (changed.length === 0 || /^(keep|revert|narrow|leave)/.test(next)) return [];
  const where = joinList(changed.map((file) => renderPlace({ file })));
  if (rewardChange > 0 && fixed.length > 0)
    return [`Keep the edit in ${where}: it fixed ${joinList(fixed.map(failureName))}.`];
  if (rewardChange >= 0 || fresh.length === 0) return [];
  const culprits = blame.indices.map((index) => input.trajectory.actions[index]?.file_path ?? '');
  const files = [...new Set(culprits)].map((file) => renderPlace({ file }));
  return [
    `Drop the edit in ${files.length === 0 ? where : joinList(files)} if it cannot be corrected: it caused ${joinList(fresh.map(failureName))}.`,
  ];
}

function changeApproach({ alike, failures }: Evidence): string[] {
  if (alike.length === 0 || failures[0] === undefined) return [];
  const files = [...new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified))];
  const numbers = joinList(alike.map(({ iteration }) => String(iteration + 1)));
  const attempts = `${alike.length === 1 ? 'attempt' : 'attempts'} ${numbers}`;
  if (files.length === 0)
    return [`${capitalise(attempts)} changed no file either: ${describeFailure(failures[0])} needs an edit.`];
  return [
    `Make a different change than in ${attempts}, which edited ${joinList(files)} and had the same failure.`,
  ];
}

/** The source files that a failing test runs: a fact that holds for later tasks too. */
function reaches({ failures }: Evidence): string[] {
  const failure = failures.find(({ type, frames }) => type === 'test_failure' && sourceOf(frames).length > 0);
  if (failure === undefined) return [];
  return [`${capitalise(failureName(failure))} exercises ${joinList(sourceOf(failure.frames))}.`];
}

function sourceOf(frames: Evidence['failures'][number]['frames']): string[] {
  const sources = (frames ?? [])
    .filter(({ file }) => !isTestFile(file))
    .map(({ file }) => renderPlace({ file }));
  return [...new Set(sources)];
}
