import type { MemoryContext, Situation, ShownLesson } from '../../ports.ts';
import type { Diagnostic, Lesson } from '../../schema/generated.ts';
import { strengthOf } from '../lessons/gate/cap.ts';
import { rankByTerms } from './bm25.ts';
import { heldBack } from './held-back.ts';
import { termsOf } from './terms.ts';

/** Lessons that an attempt is told. */
const MOST_TOLD = 10;
const MAX_ERRORS = 20;
const MAX_MESSAGE = 500;
/**
 * What makes a lesson apply: the very failure, a file of it, one with the name of such a file (`cart.js` of
 * `cart.test.js`), words (0..1). A lesson about all of the repository applies a little.
 */
const WEIGHTS = { fingerprint: 2, file: 1, name: 0.5, words: 1, everywhere: 0.2 } as const;
/** A text that shares one word with what fails is hardly about it. */
const LEAST_SHARED = 2;
/** BM25 of which a half counts. */
const HALF_AT = 3;
/** Of these a statement holds for the whole repository, where it names no file. */
const GENERAL: ReadonlySet<string> = new Set([
  'command',
  'environment',
  'convention',
  'constraint',
  'preference',
]);

export interface RecallRequest extends Situation {
  readonly repositoryRoot: string;
  /** What is told anyway: lessons that stand in it are not told twice. */
  readonly slots: Partial<Omit<MemoryContext, 'lessons'>>;
}

/**
 * Standing lessons that apply to a task and what fails: pinned ones always, then by relevance × confidence × what the
 * evaluator saw of them, at most 10. Stale ones are held back, and so is what the loop itself has
 * just learned: its reflections say it.
 */
export function selectLessons(lessons: readonly Lesson[], request: RecallRequest): ShownLesson[] {
  const told = foldedSlots(request);
  const open = lessons.filter(
    ({ pinned, source, text }) =>
      pinned || (source.loop_id !== request.loopId && !told.includes(folded(text))),
  );
  const scores = relevances(open, request);
  const ranked = open
    .map((lesson, index) => ({ lesson, score: scores[index]! * strengthOf(lesson) }))
    .filter(({ lesson, score }) => lesson.pinned || score > 0)
    .filter(({ lesson }) => heldBack(lesson, request.repositoryRoot) === undefined)
    .sort((a, b) => Number(b.lesson.pinned) - Number(a.lesson.pinned) || b.score - a.score);
  return ranked.slice(0, MOST_TOLD).map(({ lesson }) => toTold(lesson));
}

function relevances(lessons: readonly Lesson[], { task, evaluation }: RecallRequest): number[] {
  const errors = evaluation.diagnostics.filter(({ severity }) => severity === 'error').slice(0, MAX_ERRORS);
  const fingerprints = new Set(errors.map(({ fingerprint }) => fingerprint));
  const files = new Set(errors.flatMap(filesOf));
  const names = new Set([...files].map(nameOf));
  const query = [task, ...errors.flatMap(saidBy)].flatMap(termsOf);
  const texts = lessons.map((lesson) => [lesson.text, ...lesson.files].flatMap(termsOf));
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

function isGeneral({ status, subject, type, files, fingerprints }: Lesson): boolean {
  const isAboutAll = files.length === 0 && fingerprints.length === 0;
  return status === 'active' && isAboutAll && (subject === 'operator' || GENERAL.has(type));
}

function toTold({ id, text, type, pinned, confidence }: Lesson): ShownLesson {
  return { id, text, type, pinned, confidence };
}

function saidBy({ message, rule, file, frames }: Diagnostic): string[] {
  return [
    message.slice(0, MAX_MESSAGE),
    rule ?? '',
    file ?? '',
    ...(frames ?? []).map((frame) => frame.file),
  ];
}

/** `src/cart.ts` and `test/cart.test.ts` are called `cart`. */
function nameOf(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/([._-](test|spec))?(\.d)?\.[cm]?[jt]sx?$/, '');
}

function filesOf({ file, frames }: Diagnostic): string[] {
  return [file, ...(frames ?? []).map((frame) => frame.file)].filter((path) => path !== undefined);
}

function foldedSlots({ slots }: RecallRequest): string {
  return folded([slots.playbook ?? '', ...(slots.insights ?? [])].join('\n'));
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
