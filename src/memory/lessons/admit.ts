import type { Lesson } from '../../schema/generated.ts';
import type { LessonBook } from './book.ts';
import type { Admission, Grounds, LessonCandidate } from './contract.ts';
import { makeRoom } from './gate/cap.ts';
import { refuseForeign } from './gate/foreign.ts';
import { findConflicts, findSuperseded, type Conflict } from './gate/conflict.ts';
import { findDuplicate, strengthened } from './gate/duplicate.ts';
import { groundIn } from './gate/ground.ts';
import { normaliseCandidate } from './gate/normalise.ts';
import { keepSafe } from './gate/safety.ts';
import { refusal, type GateResult, type Refusal } from './gate/gate-result.ts';
import { inStatus, isGivenUp, isStanding } from './standing.ts';
import { lessonId } from './lesson-id.ts';
import { isForgotten, isRested, LEFT_FOR_ROOM } from './status-reasons.ts';

/**
 * The gate: normalise → safety → ground → de-duplicate → conflict → cap → audit, one candidate after the other. Changes
 * only the book; the caller writes it. Never throws for a candidate.
 */
export function admitAll(
  book: LessonBook,
  candidates: readonly LessonCandidate[],
  grounds: Grounds,
): Admission[] {
  const ground = groundIn(grounds);
  const isStated = grounds.kind === 'stated';
  return candidates.map((proposed) => {
    const result = runSteps(proposed, [
      normaliseCandidate,
      keepSafe,
      isStated ? asStated : refuseForeign,
      ground,
    ]);
    if (!result.ok) return refuse(book, proposed, result);
    return settle({ book, candidate: result.candidate, isStated });
  });
}

function runSteps(
  candidate: LessonCandidate,
  steps: readonly ((candidate: LessonCandidate) => GateResult)[],
): GateResult {
  return steps.reduce<GateResult>((result, step) => (result.ok ? step(result.candidate) : result), {
    ok: true,
    candidate,
  });
}

function asStated(candidate: LessonCandidate): GateResult {
  return { ok: true, candidate };
}

interface Proposal {
  readonly book: LessonBook;
  readonly candidate: LessonCandidate;
  /** Stated by the user: becomes active at once, and restores a forgotten lesson. */
  readonly isStated: boolean;
}

function settle(proposal: Proposal): Admission {
  const { book, candidate, isStated } = proposal;
  const named = findSuperseded(candidate, book.lessons);
  const known = findDuplicate(
    candidate,
    book.lessons.filter((lesson) => lesson !== named),
  );
  if (known === undefined) return enter(proposal, newLesson(proposal), 'It is new.');
  if (isStanding(known)) return strengthen(proposal, known, named);
  if (!isStated && isForgotten(known))
    return refuse(
      book,
      candidate,
      refusal('duplicate', `The user archived ${known.id}, which says the same.`),
    );
  if (!isStated && isRested(known))
    return refuse(
      book,
      candidate,
      refusal('duplicate', `${known.id} says the same, and did not help when it was withheld at random.`),
    );
  if (!isStated && isGivenUp(known))
    return refuse(
      book,
      candidate,
      refusal('duplicate', `${known.id} says the same, and was contradicted too often.`),
    );
  const follower = known.superseded_by === undefined ? undefined : book.get(known.superseded_by);
  const isReplaced = follower !== undefined && isStanding(follower);
  if (isReplaced && !isStated)
    return refuse(
      book,
      candidate,
      refusal('conflict', `${known.id} says the same, and ${follower.id} replaced it.`),
    );
  const again = inStatus(strengthened(known, candidate), isStated ? 'active' : 'staged');
  const back: Proposal = isReplaced
    ? { ...proposal, candidate: { ...candidate, supersedes: follower.id } }
    : proposal;
  return enter(back, again, 'It was archived or superseded, and is proposed again.');
}

function strengthen(
  { book, candidate, isStated }: Proposal,
  known: Lesson,
  named: Lesson | undefined,
): Admission {
  const before = book.get(known.id);
  const lesson = book.put(
    isStated ? inStatus(strengthened(known, candidate), 'active') : strengthened(known, candidate),
  );
  if (named !== undefined && !named.pinned && (isStated || named.source.pass !== 'user'))
    supersede(book, named, lesson);
  const reason =
    lesson === before
      ? `${known.id} says the same.`
      : `${known.id} says the same, and has more evidence now.`;
  book.note('strengthened', lesson, reason);
  return { outcome: 'strengthened', reason, lesson };
}

/** Stores a lesson that does not stand yet, unless it loses a conflict or there is no room. */
function enter({ book, candidate }: Proposal, lesson: Lesson, reason: string): Admission {
  const conflicts = findConflicts(
    candidate,
    book.lessons.filter(({ id }) => id !== lesson.id),
  );
  const lost = conflicts.find(({ winner }) => winner === 'stored');
  if (lost !== undefined) return refuse(book, candidate, refusal('conflict', lost.reason));
  const losers = new Set(conflicts.map(({ lesson: { id } }) => id));
  const leaving = makeRoom(
    lesson.subject,
    book.lessons.filter(({ id }) => id !== lesson.id && !losers.has(id)),
  );
  if (leaving === undefined)
    return refuse(
      book,
      candidate,
      refusal('cap', 'There is no room: every lesson of this subject is pinned.'),
    );
  const entered = book.put({ ...lesson, confidence: highest(lesson, conflicts) });
  for (const { lesson: loser } of conflicts) supersede(book, loser, entered);
  for (const weakest of leaving) archive(book, weakest, LEFT_FOR_ROOM);
  const outcome =
    conflicts.length > 0 ? 'superseded_other' : entered.status === 'active' ? 'active' : 'staged';
  const why = conflicts.length === 0 ? reason : conflicts.map((conflict) => conflict.reason).join(' ');
  book.note(outcome, entered, why);
  return { outcome, reason: why, lesson: entered };
}

/** Archives a lesson in the book. */
export function archive(book: LessonBook, lesson: Lesson, reason: string): Lesson {
  const archived = book.put({
    ...lesson,
    status: 'archived',
    status_reason: reason.slice(0, 500),
    pinned: false,
  });
  book.note('archived', archived, reason);
  return archived;
}

function supersede(book: LessonBook, loser: Lesson, by: Lesson): void {
  const status_reason = `${by.id} replaced it.`;
  book.note(
    'superseded',
    book.put({ ...loser, status: 'superseded', superseded_by: by.id, status_reason }),
    status_reason,
  );
}

function highest(lesson: Lesson, conflicts: readonly Conflict[]): number {
  return Math.max(lesson.confidence, ...conflicts.map(({ lesson: loser }) => loser.confidence));
}

function newLesson({ book, candidate, isStated }: Proposal): Lesson {
  const { text, type, subject, source, evidence, claim } = candidate;
  const { confidence, importance, files, fingerprints } = candidate;
  return {
    id: lessonId(candidate),
    text,
    type,
    subject,
    // A command that a check has just run needs no other confirmation.
    status: isStated || claim?.kind === 'command_fact' ? 'active' : 'staged',
    source,
    evidence: [...evidence],
    claim,
    confidence,
    importance,
    support: 0,
    contradiction: 0,
    pinned: isStated && claim?.kind === 'preference',
    files: [...(files ?? [])],
    fingerprints: [...(fingerprints ?? [])],
    created_at: book.now,
    updated_at: book.now,
  };
}

function refuse(book: LessonBook, candidate: LessonCandidate, { step, reason }: Refusal): Admission {
  const text = typeof (candidate as Partial<LessonCandidate> | null)?.text === 'string' ? candidate.text : '';
  book.note('refused', { text }, `${step}: ${reason}`);
  return { outcome: 'refused', step, reason };
}
