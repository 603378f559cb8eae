import { Option, type Command } from 'commander';
import { addOutput } from './options.ts';

const lazy = () => import('./commands/reflections.ts');
const lazyExchange = () => import('./commands/exchange.ts');
const collect = (text: string, previous: string[] | undefined): string[] => [
  ...(previous ?? []),
  ...text.split(','),
];

/** `ralph reflections list|show|search|validate|patterns|export|import`. */
export function addReflectionsCommand(program: Command): void {
  const reflections = program
    .command('reflections')
    .description('What failed attempts taught: list, show, search, validate, patterns, export, import.');
  addOutput(
    reflections
      .command('list')
      .description('Every reflection, newest first.')
      .option('--loop <id>', 'of one loop'),
  ).action(async (options) => (await lazy()).listReflections(options));
  addOutput(
    reflections
      .command('show <loop-id> [number]')
      .description('One reflection, or all of a loop; 1 is the first attempt.'),
  ).action(async (loop: string, number: string | undefined, options) =>
    (await lazy()).showReflections(loop, number, options),
  );
  const search = addFilters(
    reflections
      .command('search [words...]')
      .description('By words and filters; filters alone do too.')
      .option('--limit <n>', 'at most so many (10)'),
  );
  addOutput(search).action(async (words: string[], options) => (await lazy()).searchCommand(words, options));
  addOutput(
    reflections
      .command('validate')
      .description('Check every file against the schema.')
      .option('--loop <id>', 'of one loop'),
  ).action(async (options) => (await lazy()).validateCommand(options));
  addOutput(
    reflections
      .command('patterns')
      .description('What at least two reflections say: lessons, categories, files, rules.')
      .option('--min <n>', 'reflections that must say it (2)'),
  ).action(async (options) => (await lazy()).patternsCommand(options));
  addFilters(
    reflections
      .command('export [words...]')
      .description('Reflections as one text, by loop and attempt; words and filters as in search.')
      .addOption(
        new Option('--format <kind>', 'json, jsonl (what import reads) or markdown')
          .choices(['json', 'jsonl', 'markdown'])
          .default('json'),
      )
      .option('-o, --output <file>', 'write it there'),
  ).action(async (words: string[], options) => (await lazyExchange()).exportCommand(words, options));
  addOutput(
    reflections
      .command('import <path...>')
      .description(
        'Reflections of another repository, of AIWG, or from JSON and JSONL; nothing here is written over.',
      )
      .option('--dry-run', 'say what would be done, and write nothing'),
  ).action(async (paths: string[], options) => (await lazyExchange()).importCommand(paths, options));
}

function addFilters(command: Command): Command {
  return command
    .option('--category <names>', 'failure categories, by comma', collect)
    .option('--min-confidence <0..1>', 'at least this confident')
    .option('--loop <id>', 'of one loop')
    .option('--file <glob>', 'that touched or named such a file')
    .option('--fingerprint <id>', 'of an attempt that left this failure')
    .option('--since <when>', 'such as 30d, 12h or 2026-01-31');
}
