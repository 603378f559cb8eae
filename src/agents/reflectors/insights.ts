import type { Diagnosis } from './diagnosis.ts';
import { isTestFile, type Evidence } from './evidence.ts';
import { lookAfter } from './next-place.ts';
import { capital, counted, describe, listed, nameOf, oneLine, spot } from './phrases.ts';

/** What to do next, the first thing first; 1 to 8 sentences that each name a place, a failure or an edit. */
export function renderInsights(evidence: Evidence, { next }: Diagnosis): string[] {
  const insights = [
    `${capital(next)}.`,
    ...ruledOut(evidence, next),
    ...keepOrDrop(evidence, next),
    ...elsewhereThisTime(evidence),
    ...lookAfter(evidence, 3),
  ];
  return [...new Set(insights)].slice(0, 8);
}

/** What holds in this repository beyond this attempt; 0 to 3 sentences without an attempt's number. */
export function renderLessons(evidence: Evidence, { lesson }: Diagnosis): string[] {
  const lessons = [...(lesson === '' ? [] : [capital(lesson)]), ...reaches(evidence)];
  return [...new Set(lessons)].slice(0, 3);
}

function ruledOut({ input }: Evidence, next: string): string[] {
  const { tried, edits, nearest } = input.trajectory.ruled_out;
  if (edits.length === 0) return [];
  const some = listed(
    edits.slice(-3).map((edit) => `\`${oneLine(edit.replace(/ @[0-9a-f]+( ~[0-9a-f]+)?$/, ''), 120)}\``),
    3,
  );
  const near =
    nearest === undefined || next.includes('the nearest edit')
      ? []
      : [`Begin from the nearest edit so far: ${oneLine(nearest, 300)}.`];
  return [`Do not try again what is ruled out (${counted(tried, 'edit')} this time): ${some}.`, ...near];
}

function keepOrDrop({ blame, changed, fixed, fresh, input, rewardChange }: Evidence, next: string): string[] {
  if (changed.length === 0 || /^(keep|take back|narrow|leave)/.test(next)) return [];
  const where = listed(changed.map((file) => spot({ file })));
  if (rewardChange > 0 && fixed.length > 0)
    return [`Keep the edit in ${where}: it mended ${listed(fixed.map(nameOf))}.`];
  if (rewardChange >= 0 || fresh.length === 0) return [];
  const culprits = blame.indices.map((index) => input.trajectory.actions[index]?.file_path ?? '');
  const files = [...new Set(culprits)].map((file) => spot({ file }));
  return [
    `Drop the edit in ${files.length === 0 ? where : listed(files)} if it cannot be mended: it brought ${listed(fresh.map(nameOf))}.`,
  ];
}

function elsewhereThisTime({ alike, failures }: Evidence): string[] {
  if (alike.length === 0 || failures[0] === undefined) return [];
  const files = [...new Set(alike.flatMap(({ actor_output }) => actor_output.files_modified))];
  const attempts = listed(alike.map(({ iteration }) => String(iteration + 1)));
  if (files.length === 0)
    return [`Attempt ${attempts} changed no file either: ${describe(failures[0])} needs an edit.`];
  return [
    `Change something else than in attempt ${attempts}, which edited ${listed(files)} and met the same failure.`,
  ];
}

/** Which source a failing test goes through: true for every later task in this repository. */
function reaches({ failures }: Evidence): string[] {
  const failure = failures.find(({ type, frames }) => type === 'test_failure' && sourceOf(frames).length > 0);
  if (failure === undefined) return [];
  return [`${capital(nameOf(failure))} exercises ${listed(sourceOf(failure.frames))}.`];
}

function sourceOf(frames: Evidence['failures'][number]['frames']): string[] {
  const sources = (frames ?? []).filter(({ file }) => !isTestFile(file)).map(({ file }) => spot({ file }));
  return [...new Set(sources)];
}
