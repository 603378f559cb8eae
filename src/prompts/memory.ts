import { fenced, line, within, type FencedText } from './bounded-data.ts';

/** Maximum bytes of the parts of a prompt. */
const LIMITS = {
  attempts: 9000,
  attempt: 1500,
  known: 3000,
  drafts: 4000,
  stored: 6000,
  record: 9000,
  playbook: 12_000,
  slots: 6000,
  insights: 3000,
  answer: 2400,
  reasons: 900,
} as const;

/** Variables of `memory-repair.hbs`. */
export interface MemoryRepairPrompt {
  /** The original prompt. */
  readonly question: string;
  readonly answer: FencedText;
  readonly reasons: readonly string[];
}

/** Variables of the prompt after an invalid answer: the original prompt, the answer, the problems. */
export function memoryRepairPrompt(refused: {
  readonly question: string;
  readonly answer: string;
  readonly reasons: readonly string[];
}): MemoryRepairPrompt {
  return {
    question: refused.question,
    answer: fenced(refused.answer, LIMITS.answer),
    reasons: within(refused.reasons, LIMITS.reasons, (reason) => line(reason, 400)).shown,
  };
}

/** Variables of `insights.hbs`. */
export interface InsightsPrompt {
  /** Newest last; `number` is 1-based. */
  readonly attempts: readonly {
    readonly number: number;
    readonly task: string;
    readonly record: FencedText;
  }[];
  readonly known: readonly string[];
  readonly least: number;
  readonly most: number;
}

/** Variables of the insights pass; the attempts share the space, each cut to its share. */
export function insightsPrompt(source: {
  readonly attempts: readonly { readonly task: string; readonly text: string }[];
  readonly known: readonly string[];
  readonly least: number;
  readonly most: number;
}): InsightsPrompt {
  const share = Math.min(LIMITS.attempt, Math.max(200, Math.floor(LIMITS.attempts / source.attempts.length)));
  return {
    attempts: source.attempts.map(({ task, text }, index) => ({
      number: index + 1,
      task: line(task, 160),
      record: fenced(text, share),
    })),
    known: within(source.known, LIMITS.known, (text) => line(text, 500)).shown,
    least: source.least,
    most: source.most,
  };
}

/** A lesson in a prompt. */
export interface ShownLesson {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly text: string;
  readonly pinned: boolean;
  /** Two decimals. */
  readonly confidence: string;
}

interface LessonSource {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly text: string;
  readonly pinned: boolean;
  readonly confidence: number;
}

/** Variables of `validate-lessons.hbs`. */
export interface ValidateLessonsPrompt {
  readonly drafts: readonly {
    readonly number: number;
    readonly type: string;
    readonly subject: string;
    readonly text: string;
  }[];
  readonly stored: readonly ShownLesson[];
  readonly record: FencedText;
}

/** Variables of the validation pass: all drafts, and the stored lessons that fit. */
export function validateLessonsPrompt(source: {
  readonly drafts: readonly { readonly type: string; readonly subject: string; readonly text: string }[];
  readonly stored: readonly LessonSource[];
  readonly record: string;
}): ValidateLessonsPrompt {
  const share = Math.max(80, Math.floor(LIMITS.drafts / Math.max(1, source.drafts.length)));
  return {
    drafts: source.drafts.map(({ type, subject, text }, number) => ({
      number,
      type,
      subject,
      text: line(text, share),
    })),
    stored: within(source.stored, LIMITS.stored, shownLesson).shown,
    record: fenced(source.record, LIMITS.record),
  };
}

/** Variables of `playbook-decay.hbs`. */
export interface PlaybookDecayPrompt {
  readonly lessons: readonly (ShownLesson & {
    readonly gap: number;
    readonly support: number;
    readonly contradiction: number;
  })[];
}

/** Variables of the decay pass; `gap`: attempts since the lesson was last reinforced. */
export function playbookDecayPrompt(
  lessons: readonly (LessonSource & {
    readonly gap: number;
    readonly support: number;
    readonly contradiction: number;
  })[],
): PlaybookDecayPrompt {
  const show = (lesson: (typeof lessons)[number]): PlaybookDecayPrompt['lessons'][number] => {
    const { gap, support, contradiction } = lesson;
    return { ...shownLesson(lesson), gap, support, contradiction };
  };
  return { lessons: within(lessons, LIMITS.stored, show).shown };
}

/** Variables of `playbook.hbs`. */
export interface PlaybookPrompt {
  readonly narrative: FencedText;
  readonly slots: readonly ShownLesson[];
  readonly insights: readonly string[];
  readonly attempts: readonly {
    readonly number: number;
    readonly task: string;
    readonly record: FencedText;
  }[];
  /** Minimum and maximum length of the rewrite in characters. */
  readonly least: number;
  readonly most: number;
}

/** Variables of a rewrite of the playbook. */
export function playbookPrompt(source: {
  readonly narrative: string;
  readonly slots: readonly LessonSource[];
  readonly insights: readonly string[];
  readonly attempts: readonly { readonly task: string; readonly text: string }[];
  readonly least: number;
  readonly most: number;
}): PlaybookPrompt {
  const share = Math.max(200, Math.floor(LIMITS.attempts / Math.max(1, source.attempts.length)));
  return {
    narrative: fenced(source.narrative, LIMITS.playbook),
    slots: within(source.slots, LIMITS.slots, shownLesson).shown,
    insights: within(source.insights, LIMITS.insights, (text) => line(text, 500)).shown,
    attempts: source.attempts.map(({ task, text }, index) => ({
      number: index + 1,
      task: line(task, 160),
      record: fenced(text, Math.min(share, LIMITS.attempt)),
    })),
    least: source.least,
    most: source.most,
  };
}

/** Variables of `micro-reflection.hbs`. */
export interface MicroReflectionPrompt {
  /** The idle session, as a heading. */
  readonly what: string;
  readonly maxFacts: number;
  readonly session: FencedText;
  readonly known: readonly ShownLesson[];
}

/** Variables of the micro-reflection: the recent part of a session, and the known lessons. */
export function microReflectionPrompt(source: {
  readonly what: string;
  readonly maxFacts: number;
  readonly session: string;
  readonly known: readonly LessonSource[];
}): MicroReflectionPrompt {
  return {
    what: source.what,
    maxFacts: source.maxFacts,
    session: fenced(source.session, 4 * LIMITS.record),
    known: within(source.known, LIMITS.known, shownLesson).shown,
  };
}

function shownLesson({ id, type, subject, text, pinned, confidence }: LessonSource): ShownLesson {
  return { id, type, subject, text: line(text, 600), pinned, confidence: confidence.toFixed(2) };
}
