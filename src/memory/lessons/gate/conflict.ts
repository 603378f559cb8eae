import type { Lesson } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../contract.ts';
import { isStanding } from '../standing.ts';
import { isNegation, lessonId, normalStatement, overlap, wordsOf } from '../statement.ts';

/** A stored lesson that cannot stand beside a candidate, and which of both is to stand. */
export interface Conflict {
  readonly lesson: Lesson;
  readonly winner: 'candidate' | 'stored';
  /** A sentence about the decision. */
  readonly reason: string;
}

type Statement = Pick<Lesson, 'text' | 'type' | 'subject'>;

/** Share of words (Jaccard) from which two statements are about the same. */
const SAME_TOPIC = 0.6;
const OPPOSITE_FROM = 0.75;
/** Of these there is one that holds. */
const EXCLUSIVE = new Set(['command', 'preference', 'convention', 'environment']);
const CHOICE =
  /\b(?:use|uses|using|prefer|prefers|run|runs|choose|pick)\s+(.+?)(?=\s+(?:for|to|when|in|as|with|on|over|instead|rather|not)\b|[,;.]|$)/i;
const DIRECTIVES = new Set([
  'always',
  'must',
  'should',
  'please',
  'only',
  'use',
  'prefer',
  'run',
  'do',
  'need',
  'instead',
]);

/**
 * Every standing lesson of the same subject that a candidate replaces by name, says the opposite of, or makes another
 * choice than in the same matter. Decided by pins, by the user's word, by support less contradiction, by confidence,
 * and then the newer one stands.
 */
export function findConflicts(candidate: LessonCandidate, stored: readonly Lesson[]): Conflict[] {
  const named = findSuperseded(candidate, stored);
  const others = stored.filter(
    (lesson) => lesson !== named && isStanding(lesson) && contradicts(candidate, lesson),
  );
  return [
    ...(named === undefined ? [] : [decide(candidate, named, true)]),
    ...others.map((lesson) => decide(candidate, lesson, false)),
  ];
}

/** The standing lesson that a candidate names, by id or exact text, as the one it replaces. */
export function findSuperseded(
  { supersedes, ...candidate }: LessonCandidate,
  stored: readonly Lesson[],
): Lesson | undefined {
  if (supersedes === undefined) return undefined;
  const text = normalStatement(supersedes);
  const own = lessonId(candidate);
  return stored.find(
    (lesson) =>
      lesson.id !== own &&
      isStanding(lesson) &&
      (lesson.id === supersedes || normalStatement(lesson.text) === text),
  );
}

/** True where both cannot hold: one denies what the other says, or both choose differently in the same matter. */
export function contradicts(one: Statement, other: Statement): boolean {
  if (one.subject !== other.subject) return false;
  return isOpposite(one.text, other.text) || isOtherChoice(one, other);
}

function decide(candidate: LessonCandidate, lesson: Lesson, isNamed: boolean): Conflict {
  const isUser = candidate.source.pass === 'user';
  const said = isNamed ? 'It replaces' : 'It contradicts';
  const about = `${said} ${lesson.id}`;
  const lose = (why: string): Conflict => ({ lesson, winner: 'stored', reason: `${about}, ${why}.` });
  const win = (why: string): Conflict => ({ lesson, winner: 'candidate', reason: `${about}${why}.` });
  if (lesson.pinned) return lose('which is pinned');
  if (isUser) return win(', and the user says so');
  if (lesson.source.pass === 'user') return lose('which the user stated');
  if (isNamed) return win('');
  const balance = lesson.support - lesson.contradiction;
  if (balance > 0) return lose('which was borne out more often than not');
  if (balance < 0) return win(', which was contradicted more often than not');
  if (candidate.confidence < lesson.confidence) return lose('which is surer');
  return win(candidate.confidence > lesson.confidence ? ', which is less sure' : ', which is older');
}

/** The same words but for one side's denial. */
function isOpposite(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.some(isNegation) === b.some(isNegation)) return false;
  const plain = (words: readonly string[]): Set<string> =>
    new Set(words.filter((word) => !isNegation(word) && !DIRECTIVES.has(word)));
  const [left, right] = [plain(a), plain(b)];
  return left.size > 0 && overlap(left, right) >= OPPOSITE_FROM;
}

/** Two commands or choices for what is the same in other words. */
function isOtherChoice(one: Statement, other: Statement): boolean {
  if (one.type !== other.type || !EXCLUSIVE.has(one.type)) return false;
  const [a, b] = [choiceIn(one.text), choiceIn(other.text)];
  if (a === undefined || b === undefined || a.value === b.value) return false;
  return a.topic.size > 0 && overlap(a.topic, b.topic) >= SAME_TOPIC;
}

/** What is chosen, and the matter that it is chosen for: code in backticks, else what stands behind `use` or `prefer`. */
function choiceIn(text: string): { readonly value: string; readonly topic: ReadonlySet<string> } | undefined {
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
  const value = code.length === 1 ? code[0]! : CHOICE.exec(text)?.[1];
  if (value === undefined) return undefined;
  const rest = text.replace(code.length === 1 ? `\`${value}\`` : value, ' ');
  const topic = wordsOf(rest).filter((word) => !DIRECTIVES.has(word));
  return { value: normalStatement(value), topic: new Set(topic) };
}
