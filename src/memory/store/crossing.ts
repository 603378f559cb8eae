import type { Lesson } from '../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../lessons/contract.ts';
import { strengthOf } from '../lessons/gate/cap.ts';

/** What other repositories have learned and this one may be told. */
export interface SharedPatterns {
  /** Lessons of other repositories of the organisation; those that may not cross are left out here. */
  readonly organisation: readonly Lesson[];
  /** Operators of verified repairs anywhere: names of the search actor, without any code. */
  readonly operators: readonly string[];
}

/** So that lessons of others never take the room of a repository's own. */
const MOST_CROSSING = 20;
/** A pattern that worked elsewhere is tried here first, and believed when it has worked here. */
const CONFIDENCE_SHARE = 0.5;

/**
 * True for a lesson that other repositories of the organisation may be told: a confirmed pattern of an edit. Commands,
 * conventions, preferences and what the user stated hold for their repository alone.
 */
function mayCross({ type, status, subject, claim, source, pinned }: Lesson): boolean {
  const isPattern = type === 'fix_pattern' && (claim === undefined || claim.kind === 'edit_works');
  return isPattern && status === 'active' && subject !== 'operator' && source.pass !== 'user' && !pinned;
}

/** Proposes what other repositories have learned to the gate of this one, as staged lessons without files or failures. */
export async function admitShared(
  store: LessonStore,
  { organisation, operators }: SharedPatterns,
): Promise<readonly Admission[]> {
  const known = new Set(
    (await store.list(['staged', 'active', 'superseded', 'archived'])).map(({ id }) => id),
  );
  const patterns = organisation
    .filter((lesson) => mayCross(lesson) && !known.has(lesson.id))
    .sort((a, b) => strengthOf(b) - strengthOf(a))
    .slice(0, MOST_CROSSING)
    .map(fromOrganisation);
  const candidates = [...patterns, ...operators.slice(0, MOST_CROSSING).map(fromAnywhere)];
  const texts = candidates.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
  return store.admit(candidates, { kind: 'texts', texts });
}

function fromOrganisation(lesson: Lesson): LessonCandidate {
  const { text, type, subject, evidence, confidence, importance } = lesson;
  return {
    ...{ text, type, subject, importance },
    source: { pass: 'import', origin: 'organisation' },
    evidence: evidence.map(({ quote }) => ({ quote })),
    confidence: confidence * CONFIDENCE_SHARE,
  };
}

function fromAnywhere(operator: string): LessonCandidate {
  const text = `Edits of the operator \`${operator}\` fixed failures in other repositories.`;
  return {
    text,
    type: 'fix_pattern',
    subject: 'agent',
    source: { pass: 'import', origin: 'global' },
    evidence: [{ quote: text }],
    confidence: CONFIDENCE_SHARE,
    importance: CONFIDENCE_SHARE,
  };
}
