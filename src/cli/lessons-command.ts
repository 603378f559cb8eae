import type { Command } from 'commander';
import { addOutput } from './options.ts';

const lazy = () => import('./commands/lessons.ts');
const collect = (text: string, previous: string[] | undefined): string[] => [
  ...(previous ?? []),
  ...text.split(',').map((name) => name.trim()),
];
const collectPath = (text: string, previous: string[] | undefined): string[] => [...(previous ?? []), text];

/** `ralph lessons list|show|search|add|pin|unpin|forget|history`. */
export function addLessonsCommand(program: Command): void {
  const lessons = program
    .command('lessons')
    .description(
      'What loops learned about this repository: list, show, search, add, pin, unpin, forget, history.',
    );
  addOutput(withFilters(lessons.command('list').description('Lessons that stand, newest first.'))).action(
    async (options) => (await lazy()).listLessons(options),
  );
  addOutput(
    lessons.command('show <id>').description('One lesson: what it rests on, and whether it is out of date.'),
  ).action(async (id: string, options) => (await lazy()).showLesson(id, options));
  addOutput(
    withFilters(
      lessons
        .command('search [words...]')
        .description('By words, all of which must occur, the best first; filters alone do too.'),
    ),
  ).action(async (words: string[], options) => (await lazy()).searchLessons(words, options));
  addOutput(
    lessons
      .command('add <text...>')
      .description('State a lesson: it holds at once. One that it contradicts is superseded.')
      .option(
        '--type <name>',
        'command, environment, convention, constraint, pitfall, fix_pattern or preference',
      )
      .option('--subject <name>', 'what it is about: operator, project (default) or agent')
      .option('--file <path>', 'a file that it is about; repeatable', collectPath)
      .option('--supersedes <id>', 'the lesson that it replaces')
      .option('--pin', 'tell it to every attempt'),
  ).action(async (words: string[], options) => (await lazy()).addLesson(words, options));
  addOutput(lessons.command('pin <id>').description('Tell it to every attempt, and never let it go.')).action(
    async (id: string, options) => (await lazy()).pinLesson(id, true, options),
  );
  addOutput(lessons.command('unpin <id>').description('Take the pin off.')).action(
    async (id: string, options) => (await lazy()).pinLesson(id, false, options),
  );
  addOutput(
    lessons
      .command('forget <id>')
      .description('Archive it: no attempt is told of it again.')
      .option('--reason <text>', 'why'),
  ).action(async (id: string, options) => (await lazy()).forgetLesson(id, options));
  addOutput(
    lessons.command('history [id]').description('What was done with lessons and why, oldest first.'),
  ).action(async (id: string | undefined, options) => (await lazy()).lessonHistory(id, options));
}

function withFilters(command: Command): Command {
  return command
    .option('--status <names>', 'staged, active, superseded, archived or all (staged,active)', collect)
    .option('--type <names>', 'of these types, by comma', collect)
    .option('--file <glob>', 'about such a file')
    .option('--limit <n>', 'at most so many');
}
