import type { Lesson, LessonConflict, ValidationAnswer } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../../lessons/contract.ts';
import { flatten, hasName, namesIn } from '../../text/names.ts';
import { likeness } from '../../text/likeness.ts';

/** Shorter drafts without a name of a command, path or symbol are too vague to keep. */
const LEAST_CHARS = 25;
/** Jaccard index of two command lessons, names removed, from which they concern the same task. */
const SAME_TASK = 0.25;

/**
 * Validates drafts without a model: removes repeated and vague drafts, adds the file to a draft that names nothing and
 * concerns one file, and lets a command that the record shows replace a stored one that it does not show.
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
  if (namesIn(text).length > 0) return undefined;
  const [file] = files;
  if (files.length === 1 && record.some((one) => hasName(one, file!)))
    return { draft: index, action: 'enrich', text: `${text.replace(/[.\s]+$/, '')} (in \`${file}\`).` };
  return text.trim().length < LEAST_CHARS
    ? { draft: index, action: 'remove', reason: 'It names no command, path or symbol.' }
    : undefined;
}

/** A conflict between two commands for the same task, where the record shows only the draft's. */
function conflictOf(
  draft: LessonCandidate,
  index: number,
  lesson: Lesson,
  record: readonly string[],
): LessonConflict | undefined {
  if (draft.type !== 'command' || lesson.type !== 'command' || draft.subject !== lesson.subject)
    return undefined;
  const [fresh, old] = [namesIn(draft.text), namesIn(lesson.text)];
  const isInRecord = (names: readonly string[]): boolean =>
    names.some((name) => record.some((text) => hasName(text, name)));
  const differ = fresh.length > 0 && old.length > 0 && !old.some((name) => fresh.includes(name));
  if (!differ || !isInRecord(fresh) || isInRecord(old)) return undefined;
  if (likeness(withoutNames(draft.text, fresh), withoutNames(lesson.text, old)) < SAME_TASK) return undefined;
  return { draft: index, existing: lesson.id, resolution: 'keep_new' };
}

function withoutNames(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
}
