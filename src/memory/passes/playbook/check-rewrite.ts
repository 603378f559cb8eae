import { flatten, hasName, namesIn } from '../../text/names.ts';
import { slotsIn } from './render.ts';
import { REWRITE } from './settings.ts';

/**
 * The reasons to reject a rewrite, as sentences: too short or too long, much shorter than the former text, too many
 * commands, paths and symbols lost. Empty for an acceptable rewrite.
 */
export function rewriteProblems(before: string, after: string): string[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  const problems: string[] = [];
  if (fresh.length < REWRITE.leastChars)
    problems.push(`It has ${fresh.length} characters; at least ${REWRITE.leastChars} are required.`);
  if (after.length > REWRITE.mostChars)
    problems.push(`It has ${after.length} characters; at most ${REWRITE.mostChars} are allowed.`);
  const ratio = old.length === 0 ? 1 : fresh.length / old.length;
  if (ratio < REWRITE.ratio)
    problems.push(
      `It has ${percent(ratio)} of the former length; at least ${percent(REWRITE.ratio)} is required.`,
    );
  const kept = keptShare(before, after);
  if (kept < REWRITE.names)
    problems.push(
      `It keeps ${percent(kept)} of the commands, paths and symbols; at least ${percent(REWRITE.names)} is required.`,
    );
  return problems;
}

/** Share of the commands, paths and symbols of one text that another still has, 0..1; slots do not count. */
export function keptShare(before: string, after: string): number {
  const names = namesIn(withoutSlots(before));
  if (names.length === 0) return 1;
  return names.filter((name) => hasName(after, name)).length / names.length;
}

function withoutSlots(text: string): string {
  return slotsIn(text).reduce((rest, id) => rest.replaceAll(`[[${id}]]`, ' '), text);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
