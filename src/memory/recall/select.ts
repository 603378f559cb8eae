import type { MemoryContext, Situation, ShownLesson } from '../../ports/memory.ts';
import type { Diagnostic, Lesson } from '../../schema/generated.ts';
import { strengthOf } from '../lessons/gate/cap.ts';
import { rankByTerms } from '../text/bm25.ts';
import { heldBack } from './held-back.ts';
import { folded, foldedSlots } from './told.ts';
import { recallTerms } from '../text/recall-terms.ts';

/** Most lessons that an attempt is shown. */
const MOST_SHOWN = 10;
const MAX_ERRORS = 20;
const MAX_MESSAGE = 500;
/**
 * Contributions to a lesson's relevance: the same failure, a file of a failure, a file with the name of such a file
 * (`cart.js` and `cart.test.js`), shared words (0..1). A lesson about the whole repository is always slightly relevant.
 */
const WEIGHTS = { fingerprint: 2, file: 1, name: 0.5, words: 1, everywhere: 0.2 } as const;
/** Distinct words that must be shared: a single one is a coincidence. */
const LEAST_SHARED = 2;
/** BM25 score that counts as 0.5. */
const HALF_AT = 3;
/** Types of which a lesson without files concerns the whole repository. */
const GENERAL: ReadonlySet<string> = new Set([
  'command',
  'environment',
  'convention',
  'constraint',
  'preference',
]);

export interface RecallRequest extends Situation {
  readonly repositoryRoot: string;
  /** Playbook and insights that the attempt is shown as well; lessons in them are not repeated. */
  readonly slots: Partial<Omit<MemoryContext, 'lessons'>>;
}

/**
 * Standing lessons relevant to a task and its failures, at most 10: pinned ones first, then by relevance × strength
 * (confidence weighted by effects). Stale and unsafe lessons are held back, and so are lessons of the same loop, whose
 * reflections contain them.
 */
export function selectLessons(lessons: readonly Lesson[], request: RecallRequest): ShownLesson[] {
  const inSlots = foldedSlots(request.slots);
  const open = lessons.filter(
    ({ pinned, source, text }) =>
      pinned || (source.loop_id !== request.loopId && !inSlots.includes(folded(text))),
  );
  const scores = relevances(open, request);
  const ranked = open
    .map((lesson, index) => ({ lesson, score: scores[index]! * strengthOf(lesson) }))
    .filter(({ lesson, score }) => lesson.pinned || score > 0)
    .filter(({ lesson }) => heldBack(lesson, request.repositoryRoot) === undefined)
    .sort((a, b) => Number(b.lesson.pinned) - Number(a.lesson.pinned) || b.score - a.score);
  const [firstUnchecked] = ranked.filter(({ lesson }) => isUnchecked(lesson));
  return ranked
    .filter((one) => one === firstUnchecked || !isUnchecked(one.lesson))
    .slice(0, MOST_SHOWN)
    .map(({ lesson }) => toShown(lesson));
}

function relevances(lessons: readonly Lesson[], { task, evaluation }: RecallRequest): number[] {
  const errors = evaluation.diagnostics.filter(({ severity }) => severity === 'error').slice(0, MAX_ERRORS);
  const fingerprints = new Set(errors.map(({ fingerprint }) => fingerprint));
  const files = new Set(errors.flatMap(filesOf));
  const names = new Set([...files].map(nameOf));
  const query = [task, ...errors.flatMap(textsOf)].flatMap(recallTerms);
  const texts = lessons.map((lesson) => [lesson.text, ...lesson.files].flatMap(recallTerms));
  const { scores, shared } = rankByTerms(texts, query);
  return lessons.map((lesson, index) => {
    const words = shared[index]! >= LEAST_SHARED ? scores[index]! / (scores[index]! + HALF_AT) : 0;
    return (
      (lesson.fingerprints.some((fingerprint) => fingerprints.has(fingerprint)) ? WEIGHTS.fingerprint : 0) +
      (lesson.files.some((file) => files.has(file))
        ? WEIGHTS.file
        : lesson.files.some((file) => names.has(nameOf(file)))
          ? WEIGHTS.name
          : 0) +
      WEIGHTS.words * words +
      (isGeneral(lesson) ? WEIGHTS.everywhere : 0)
    );
  });
}

function isGeneral({ status, subject, source, type, files, fingerprints }: Lesson): boolean {
  const isAboutAll = files.length === 0 && fingerprints.length === 0;
  const isUsers = subject === 'operator' || source.pass === 'user';
  return status === 'active' && isAboutAll && (isUsers || GENERAL.has(type));
}

/** True for staged advice of a model or a program: it is told to be measured, one at a time, and as not checked. */
function isUnchecked({ status, pinned, claim, source }: Lesson): boolean {
  return (
    status === 'staged' &&
    !pinned &&
    (claim?.kind === 'advice' || (claim === undefined && source.pass === 'mcp'))
  );
}

/** Whose words a lesson is, where nobody has checked them. */
function originOf(lesson: Lesson): string {
  if (isUnchecked(lesson)) return 'Not checked: ';
  const isStated = lesson.source.pass === 'user' && !lesson.pinned && lesson.claim?.kind !== 'preference';
  return isStated ? 'The user says: ' : '';
}

function toShown(lesson: Lesson): ShownLesson {
  const { id, text, type, pinned, confidence } = lesson;
  return { id, text: `${originOf(lesson)}${text}`, type, pinned, confidence };
}

function textsOf({ message, rule, file, frames }: Diagnostic): string[] {
  return [
    message.slice(0, MAX_MESSAGE),
    rule ?? '',
    file ?? '',
    ...(frames ?? []).map((frame) => frame.file),
  ];
}

/** `cart` for `src/cart.ts` and `test/cart.test.ts`. */
function nameOf(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/([._-](test|spec))?(\.d)?\.[cm]?[jt]sx?$/, '');
}

function filesOf({ file, frames }: Diagnostic): string[] {
  return [file, ...(frames ?? []).map((frame) => frame.file)].filter((path) => path !== undefined);
}
