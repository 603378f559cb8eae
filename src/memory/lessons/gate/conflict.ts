import { CODE_SPAN, codeOf } from '../../../platform/text/code-span.ts';
import type { Lesson, LessonClaim } from '../../../schema/generated.ts';
import type { LessonCandidate } from '../contract.ts';
import { isStanding } from '../standing.ts';
import { lessonId } from '../lesson-id.ts';
import { hasName, namesIn } from '../../text/names.ts';
import { jaccard } from '../../text/likeness.ts';
import {
  haveSameQuotes,
  isNegation,
  normalStatement,
  statementWords,
  withoutQuotes,
} from '../../text/statement.ts';

/** A stored lesson that contradicts a candidate, and which of the two wins. */
export interface Conflict {
  readonly lesson: Lesson;
  readonly winner: 'candidate' | 'stored';
  /** A sentence that explains the decision. */
  readonly reason: string;
}

type Statement = Pick<Lesson, 'text' | 'type' | 'subject'> & {
  readonly claim?: LessonClaim | undefined;
  readonly source?: Pick<Lesson['source'], 'pass'>;
};

/** Jaccard index of words from which two choices concern the same topic. */
const SAME_TOPIC = 0.6;
/** Jaccard index of words from which two statements are opposites, where only one of them is negated. */
const OPPOSITE_FROM = 0.75;
/** Types of which only one choice per topic can be right. */
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
 * Every standing lesson of the same subject that a candidate replaces by name, is the opposite of, or makes another
 * choice than for the same topic. The winner is decided by the user's last word, then pins, then the user's statements, then support minus
 * contradiction, then confidence, then the newer one.
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

/** The standing lesson that a candidate's `supersedes` names, by id or exact text. */
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

/** True where both cannot be right: they are no statements that attempts test, and one negates the other, or both choose differently for the same topic. */
export function contradicts(one: Statement, other: Statement): boolean {
  const areOwnWords = isOwnWords(one) && isOwnWords(other);
  if (one.subject !== other.subject && !areOwnWords) return false;
  if (isRefutedBy(one, other) || isRefutedBy(other, one)) return true;
  // Somebody's words beside the command that a check was seen to run: both are told as what they are.
  if (isCommandFact(one) !== isCommandFact(other)) return false;
  if (isTested(one) || isTested(other)) return false;
  return isOpposite(one.text, other.text) || isOtherChoice(one, other, areOwnWords);
}

/** True for what the user said, in a task or as a lesson. */
function isOwnWords({ source, claim }: Statement): boolean {
  return source?.pass === 'user' || claim?.kind === 'preference';
}

function decide(candidate: LessonCandidate, lesson: Lesson, isNamed: boolean): Conflict {
  const isUser = candidate.source.pass === 'user';
  const about = `${isNamed ? 'It replaces' : 'It contradicts'} ${lesson.id}`;
  const lose = (why: string): Conflict => ({ lesson, winner: 'stored', reason: `${about}, ${why}.` });
  const win = (why: string): Conflict => ({ lesson, winner: 'candidate', reason: `${about}${why}.` });
  // The user's last word counts.
  if (lesson.claim?.kind === 'preference' && isOwnWords(candidate))
    return win(', which the user said before');
  if (lesson.pinned) return lose('which is pinned');
  if (isRefutedBy(lesson, candidate)) return win(', which an edit that worked refutes');
  if (isRefutedBy(candidate, lesson)) return lose('an edit that worked');
  if (isUser) return win(', as the user stated');
  if (lesson.source.pass === 'user') return lose('which the user stated');
  if (isNamed) return win('');
  const balance = lesson.support - lesson.contradiction;
  if (balance > 0) return lose('which was supported more often than contradicted');
  if (balance < 0) return win(', which was contradicted more often than supported');
  if (candidate.confidence < lesson.confidence) return lose('which has a higher confidence');
  return win(
    candidate.confidence > lesson.confidence ? ', which has a lower confidence' : ', which is older',
  );
}

/** True where the words and the quotes agree and only one side is negated, outside of its quotes. */
function isOpposite(one: string, other: string): boolean {
  if (!haveSameQuotes(one, other)) return false;
  const [a, b] = [statementWords(withoutQuotes(one)), statementWords(withoutQuotes(other))];
  if (a.some(isNegation) === b.some(isNegation)) return false;
  const plain = (words: readonly string[]): Set<string> =>
    new Set(words.filter((word) => !isNegation(word) && !DIRECTIVES.has(word)));
  const [left, right] = [plain(a), plain(b)];
  return left.size > 0 && jaccard(left, right) >= OPPOSITE_FROM;
}

function isCommandFact({ claim }: Statement): boolean {
  return claim?.kind === 'command_fact';
}

/** Words of advice to avoid what it names. */
const AVOIDS = /\b(?:never|avoid|do not|don't|instead of)\b/i;

/**
 * True for advice against an edit that worked in the same file: to avoid a name that the edit brought in, or to use one that it
 * took out.
 */
function isRefutedBy({ text, claim }: Statement, { claim: edit }: Statement): boolean {
  if (claim?.kind !== 'advice' || edit?.kind !== 'edit_works' || !text.includes(edit.file ?? ''))
    return false;
  const [before = '', after = ''] = [edit.before, edit.after];
  const names = namesIn(text).filter((name) => name !== edit.file);
  const brought = names.some((name) => hasName(after, name) && !hasName(before, name));
  const taken = names.some((name) => hasName(before, name) && !hasName(after, name));
  return AVOIDS.test(text) ? brought : taken && !brought;
}

/** True for a lesson with its own test of truth, which decides instead of its words. */
function isTested({ claim }: Statement): boolean {
  return claim !== undefined && !['command_fact', 'preference', 'advice'].includes(claim.kind);
}

/** True for two different commands or choices for the same topic. */
function isOtherChoice(one: Statement, other: Statement, areOwnWords: boolean): boolean {
  if (!areOwnWords && (one.type !== other.type || !EXCLUSIVE.has(one.type))) return false;
  const [a, b] = [choiceIn(one.text), choiceIn(other.text)];
  if (a === undefined || b === undefined || a.value === b.value) return false;
  return a.topic.size > 0 && jaccard(a.topic, b.topic) >= SAME_TOPIC;
}

/** The chosen value (code in backticks, else the words after a verb such as `use`) and the words of its topic. */
function choiceIn(text: string): { readonly value: string; readonly topic: ReadonlySet<string> } | undefined {
  const spans = [...text.matchAll(new RegExp(CODE_SPAN.source, 'g'))].map(([span]) => span);
  const value = spans.length === 1 ? codeOf(spans[0]!) : CHOICE.exec(text)?.[1];
  if (value === undefined) return undefined;
  const rest = text.replace(spans.length === 1 ? spans[0]! : value, ' ');
  const topic = statementWords(rest).filter((word) => !DIRECTIVES.has(word));
  return { value: normalStatement(value), topic: new Set(topic) };
}
