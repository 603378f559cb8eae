import { flatten, namesTerm, termsOf } from '../common/terms.ts';
import { slotsIn } from './render.ts';

/** What a rewrite must hold to. */
export const REWRITE = { leastChars: 30, ratio: 0.6, terms: 0.6, mostChars: 12_000 } as const;

/**
 * Why a rewrite is refused: too short, too much shorter than what it replaces, too long, or too few of the commands,
 * paths and symbols kept. Nothing where it is taken.
 */
export function rewriteProblems(before: string, after: string): string[] {
  const [old, fresh] = [flatten(before), flatten(after)];
  const problems: string[] = [];
  if (fresh.length < REWRITE.leastChars)
    problems.push(`It has ${fresh.length} characters; at least ${REWRITE.leastChars} are needed.`);
  if (after.length > REWRITE.mostChars)
    problems.push(`It has ${after.length} characters; at most ${REWRITE.mostChars} are kept.`);
  const ratio = old.length === 0 ? 1 : fresh.length / old.length;
  if (ratio < REWRITE.ratio)
    problems.push(
      `It is ${percent(ratio)} as long as what it replaces; at least ${percent(REWRITE.ratio)} is needed.`,
    );
  const kept = keptShare(before, after);
  if (kept < REWRITE.terms)
    problems.push(
      `It keeps ${percent(kept)} of the commands, paths and symbols; at least ${percent(REWRITE.terms)} is needed.`,
    );
  return problems;
}

/** Share of the commands, paths and symbols of a text that another still names, 0..1; slots are no names. */
export function keptShare(before: string, after: string): number {
  const terms = termsOf(withoutSlots(before));
  if (terms.length === 0) return 1;
  return terms.filter((term) => namesTerm(after, term)).length / terms.length;
}

function withoutSlots(text: string): string {
  return slotsIn(text).reduce((rest, id) => rest.replaceAll(`[[${id}]]`, ' '), text);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
