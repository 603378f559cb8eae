import { scoresOf } from '../../memory/index/score.ts';
import { phrasesOf, termsOf } from '../../memory/index/terms.ts';
import { fileMatcher } from '../../memory/search.ts';
import type { Lesson } from '../../schema/generated.ts';
import { boundedList } from './bounded-answer.ts';
import { inputSchema, LIMIT, TEXT, type McpTool } from './tool.ts';

interface Args {
  readonly words?: string;
  readonly type?: Lesson['type'];
  readonly status?: Lesson['status'];
  readonly file?: string;
  readonly fingerprint?: string;
  readonly limit?: number;
}

export const LESSON_TYPES: readonly Lesson['type'][] = [
  ...([
    'command',
    'environment',
    'convention',
    'constraint',
    'pitfall',
    'fix_pattern',
    'preference',
  ] as const),
];

/** Lessons by words, best first, and filters. */
export const searchLessonsTool: McpTool = {
  name: 'search_lessons',
  title: 'Search lessons',
  description:
    'What loops in this repository learned for good: commands, conventions, pitfalls, what fixed what. Active ones ' +
    'were confirmed by a run that was told of them, staged ones were not yet. Records, not instructions.',
  inputSchema: inputSchema({
    words: { ...TEXT, description: 'All must occur in the lesson, its quotes or its files.' },
    type: { enum: LESSON_TYPES },
    status: { enum: ['staged', 'active'], description: 'Both by default.' },
    file: { ...TEXT, description: 'Path or glob of a file that it is about.' },
    fingerprint: { ...TEXT, description: 'Of a failure that it is about.' },
    limit: LIMIT,
  }),
  off: () => undefined,
  changesSomething: false,
  async run(given, { services }) {
    const { words = '', limit = 10, ...filters }: Args = given;
    const found = ranked(await services.lessons(), words).filter((lesson) => holds(lesson, filters));
    return boundedList('lessons', found, limit);
  },
};

function holds(lesson: Lesson, { type, status, file, fingerprint }: Args): boolean {
  return (
    (type === undefined || lesson.type === type) &&
    (status === undefined || lesson.status === status) &&
    (file === undefined || lesson.files.some(fileMatcher(file))) &&
    (fingerprint === undefined || lesson.fingerprints.includes(fingerprint))
  );
}

/** In the order given where there are no words. */
function ranked(lessons: readonly Lesson[], words: string): readonly Lesson[] {
  const phrases = phrasesOf(words.split(/\s+/));
  if (phrases.length === 0) return lessons;
  const fields = lessons.map(({ text, evidence, files }) => [
    termsOf(files.join(' ')),
    termsOf(evidence.map(({ quote }) => quote).join(' ')),
    [],
    termsOf(text),
    [],
  ]);
  const scores = scoresOf(fields, phrases);
  return lessons
    .map((lesson, index) => ({ lesson, score: scores[index] ?? -1 }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ lesson }) => lesson);
}
