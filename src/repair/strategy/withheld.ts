import { shownEdit } from '../../schema/shown-edit.ts';
import type { RankedClaims } from '../choose/choose.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Reflection } from '../../schema/generated.ts';
import type { Candidate } from '../syntax/edit.ts';

/** Plausible edits of which none was chosen. */
export interface Withheld {
  /** Says so, with an input on which the edits differ. */
  readonly sentence: string;
  /** How sure it is that the first one behaves as intended, 0..1. */
  readonly confidence: number;
  /** Best first. */
  readonly candidates: readonly Candidate[];
}

/** Begins the description of the action that records the failures whose edits were withheld. */
const WITHHELD = 'Withheld at confidence below ';

const SHOWN = 160;

/** One or two sentences: why no edit was chosen, an input on which two edits differ, and how to decide. */
export function withheldSentence(ranked: RankedClaims, minConfidence: number): string {
  const { claims, confidence, difference } = ranked;
  const sure =
    confidence < minConfidence
      ? `confidence ${confidence.toFixed(2)}, below ${minConfidence}`
      : `confidence ${confidence.toFixed(2)}, but another one was best before more edits were tried`;
  const first = cut(shownEdit(claims[0]!.candidate.signature));
  if (difference === undefined)
    return `${plural(claims.length, 'plausible edit')}; not chosen (${sure}): ${first}. Add a test, or apply an alternative.`;
  const { input, results } = difference;
  return (
    `${plural(claims.length, 'plausible edit')}; not chosen (${sure}). They differ on ${cut(input)}: ` +
    `${cut(results[0])} or ${cut(results[1])}. The first is ${first}. Add a test for this input, or apply an alternative.`
  );
}

/** The description of an action that records the scope of withheld edits. */
export function describeWithheld(scope: string, minConfidence: number): string {
  return `${WITHHELD}${minConfidence}:${scope}`;
}

/** Scopes whose edits earlier attempts withheld with the same threshold: the same search would end in the same way. */
export function withheldScopes(reflections: readonly Reflection[], minConfidence: number): Set<string> {
  const start = describeWithheld('', minConfidence);
  return new Set(
    reflections
      .flatMap(({ actor_output }) => actor_output.actions.map(({ description }) => description))
      .filter((description) => description.startsWith(start))
      .map((description) => description.slice(start.length)),
  );
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
