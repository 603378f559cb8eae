import { Option, type Command } from 'commander';
import { addOutput, collectItems } from '../options.ts';

const load = () => import('../commands/reflections.ts');
const loadExchange = () => import('../commands/reflections-exchange.ts');

/** `ralph reflections list|show|search|validate|patterns|export|import`. */
export function declareReflections(program: Command): void {
  const reflections = program
    .command('reflections')
    .description('Reflections on failed attempts: list, show, search, validate, patterns, export, import.');
  addOutput(
    reflections
      .command('list')
      .description('List reflections, newest first.')
      .option('--loop <id>', 'only those of one loop'),
  ).action(async (options) => (await load()).listReflections(options));
  addOutput(
    reflections
      .command('show <loop-id> [number]')
      .description('Print the reflection on one attempt, or all of a loop; attempts count from 1.'),
  ).action(async (loop: string, number: string | undefined, options) =>
    (await load()).showReflections(loop, number, options),
  );
  const search = addFilters(
    reflections
      .command('search [words...]')
      .description('Find reflections by words, by filters, or by both.')
      .option('--limit <n>', 'maximum number of reflections (default: 10)'),
  );
  addOutput(search).action(async (words: string[], options) => (await load()).searchCommand(words, options));
  addOutput(
    reflections
      .command('validate')
      .description('Check every file against the schema.')
      .option('--loop <id>', 'only those of one loop'),
  ).action(async (options) => (await load()).validateCommand(options));
  addOutput(
    reflections
      .command('patterns')
      .description('List lessons, categories, files and rules that occur in several reflections.')
      .option('--min <n>', 'minimum number of reflections (default: 2)'),
  ).action(async (options) => (await load()).patternsCommand(options));
  addFilters(
    reflections
      .command('export [words...]')
      .description(
        'Write reflections as one text, by loop and attempt; words and filters select as in search.',
      )
      .addOption(
        new Option('--format <kind>', 'json, jsonl (which import reads) or markdown')
          .choices(['json', 'jsonl', 'markdown'])
          .default('json'),
      )
      .option('-o, --output <file>', 'write to this file'),
  ).action(async (words: string[], options) => (await loadExchange()).exportCommand(words, options));
  addOutput(
    reflections
      .command('import <path...>')
      .description(
        'Import reflections from another repository, from AIWG, or from JSON and JSONL files. Existing ones are not overwritten.',
      )
      .option('--dry-run', 'report what would be imported, and write nothing'),
  ).action(async (paths: string[], options) => (await loadExchange()).importCommand(paths, options));
}

function addFilters(command: Command): Command {
  return command
    .option('--category <names>', 'only these failure categories, separated by commas', collectItems)
    .option('--min-confidence <0..1>', 'only those with at least this confidence')
    .option('--loop <id>', 'only those of one loop')
    .option('--file <glob>', 'only those that changed or name a matching file')
    .option('--fingerprint <id>', 'only those whose attempt left this failure')
    .option('--since <when>', 'only newer ones: 30d, 12h or 2026-01-31');
}
