import type { Lesson, ValidationAnswer } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { flatten, namesTerm, termsOf } from '../common/terms.ts';
import { likeness } from '../common/words.ts';

/** Shorter drafts that name nothing say nothing. */
const LEAST_CHARS = 25;
/** About the same matter, in other words. */
const SAME_MATTER = 0.25;

/**
 * What can be said of drafts without a model: a draft that repeats another or says nothing is removed, one that names
 * nothing and is about one file gets its name, and a command that the record shows replaces a stored one that it
 * does not show.
 */
export function validateByRules(
  drafts: readonly LessonCandidate[],
  stored: readonly Lesson[],
  record: readonly string[],
): ValidationAnswer {
  const corrected = drafts.flatMap((draft, index) => correctionOf(draft, index, drafts, record) ?? []);
  const removed = new Set(corrected.filter(({ action }) => action === 'remove').map(({ draft }) => draft));
  const conflicts = drafts.flatMap((draft, index) =>
    removed.has(index) ? [] : stored.flatMap((lesson) => conflictOf(draft, index, lesson, record) ?? []),
  );
  return { corrected, missed: [], conflicts };
}

type Correction = NonNullable<ValidationAnswer['corrected']>[number];
type Conflict = NonNullable<ValidationAnswer['conflicts']>[number];

function correctionOf(
  { text, files = [] }: LessonCandidate,
  index: number,
  drafts: readonly LessonCandidate[],
  record: readonly string[],
): Correction | undefined {
  const first = drafts.findIndex(
    (draft) => flatten(draft.text).toLowerCase() === flatten(text).toLowerCase(),
  );
  if (first < index) return { draft: index, action: 'remove', reason: `It repeats draft ${first}.` };
  if (termsOf(text).length > 0) return undefined;
  const [file] = files;
  if (files.length === 1 && record.some((one) => namesTerm(one, file!)))
    return { draft: index, action: 'enrich', text: `${text.replace(/[.\s]+$/, '')} (in \`${file}\`).` };
  return text.trim().length < LEAST_CHARS
    ? { draft: index, action: 'remove', reason: 'It names nothing.' }
    : undefined;
}

/** Two commands for the same matter, of which the record shows only the draft's. */
function conflictOf(
  draft: LessonCandidate,
  index: number,
  lesson: Lesson,
  record: readonly string[],
): Conflict | undefined {
  if (draft.type !== 'command' || lesson.type !== 'command' || draft.subject !== lesson.subject)
    return undefined;
  const [fresh, old] = [termsOf(draft.text), termsOf(lesson.text)];
  const shows = (terms: readonly string[]): boolean =>
    terms.some((term) => record.some((one) => namesTerm(one, term)));
  const differ = fresh.length > 0 && old.length > 0 && !old.some((term) => fresh.includes(term));
  if (!differ || !shows(fresh) || shows(old)) return undefined;
  if (likeness(withoutTerms(draft.text, fresh), withoutTerms(lesson.text, old)) < SAME_MATTER)
    return undefined;
  return { draft: index, existing: lesson.id, resolution: 'keep_new' };
}

function withoutTerms(text: string, terms: readonly string[]): string {
  return terms.reduce((rest, term) => rest.replaceAll(term, ' '), text);
}
