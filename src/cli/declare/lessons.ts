import type { Command } from 'commander';
import { addOutput, collectItems, collectText } from '../options.ts';

const load = () => import('../commands/lessons.ts');

/** `ralph lessons list|show|search|add|pin|unpin|forget|history`. */
export function declareLessons(program: Command): void {
  const lessons = program
    .command('lessons')
    .description('Lessons about this repository: list, show, search, add, pin, unpin, forget, history.');
  addOutput(
    addFilters(lessons.command('list').description('List staged and active lessons, newest first.')),
  ).action(async (options) => (await load()).listLessons(options));
  addOutput(
    lessons
      .command('show <id>')
      .description('Print one lesson with its evidence and whether it is out of date.'),
  ).action(async (id: string, options) => (await load()).showLesson(id, options));
  addOutput(
    addFilters(
      lessons
        .command('search [words...]')
        .description('Find lessons that contain all words and match the filters, the best match first.'),
    ),
  ).action(async (words: string[], options) => (await load()).searchLessons(words, options));
  addOutput(
    lessons
      .command('add <text...>')
      .description('Add a lesson that is active at once. A lesson that it contradicts is superseded.')
      .option(
        '--type <name>',
        'command, environment, convention (default), constraint, pitfall, fix_pattern or preference',
      )
      .option('--subject <name>', 'what the lesson is about: operator, project (default) or agent')
      .option('--file <path>', 'a file that the lesson is about; repeatable', collectText)
      .option('--supersedes <id>', 'the lesson that it replaces')
      .option('--pin', 'include it in the prompt of every attempt'),
  ).action(async (words: string[], options) => (await load()).addLesson(words, options));
  addOutput(
    lessons
      .command('pin <id>')
      .description('Include a lesson in the prompt of every attempt, and never archive it.'),
  ).action(async (id: string, options) => (await load()).pinLesson(id, true, options));
  addOutput(lessons.command('unpin <id>').description('Undo pin.')).action(async (id: string, options) =>
    (await load()).pinLesson(id, false, options),
  );
  addOutput(
    lessons
      .command('forget <id>')
      .description('Archive a lesson, so that no attempt receives it again.')
      .option('--reason <text>', 'the reason, for the history'),
  ).action(async (id: string, options) => (await load()).forgetLesson(id, options));
  addOutput(
    lessons
      .command('history [id]')
      .description('List the changes of all lessons, or of one, with their reasons, oldest first.'),
  ).action(async (id: string | undefined, options) => (await load()).lessonHistory(id, options));
}

function addFilters(command: Command): Command {
  return command
    .option(
      '--status <names>',
      'staged, active, superseded, archived or all, separated by commas (default: staged,active)',
      collectItems,
    )
    .option('--type <names>', 'only these types, separated by commas', collectItems)
    .option('--file <glob>', 'only lessons about matching files')
    .option('--limit <n>', 'maximum number of lessons');
}
