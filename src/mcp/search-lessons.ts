import { LESSON_TYPES } from '../memory/lessons/kinds.ts';
import type { Lesson } from '../schema/generated.ts';
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

/** `ralph lessons search`, for a program. */
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
    const { type, status, limit = 10, ...asked }: Args = given;
    const found = await services.lessons({
      ...asked,
      ...(type !== undefined && { types: [type] }),
      ...(status !== undefined && { statuses: [status] }),
    });
    return boundedList('lessons', found, limit);
  },
};
