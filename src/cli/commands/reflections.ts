import { beyondText } from '../../schema/beyond-text.ts';
import type { ChalkInstance } from 'chalk';
import { ExitCode, usageError } from '../../errors.ts';
import { findPatterns } from '../../memory/analysis/patterns.ts';
import {
  readReflections,
  type DamagedFile,
  type ReflectionRecord,
} from '../../memory/episodes/reflection-files.ts';
import { validateReflections, type FileReport } from '../../memory/episodes/validate.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { plural } from '../../platform/text/plural.ts';
import { printable } from '../../platform/text/printable.ts';
import { oneLine, printWarning } from '../messages.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseWholeNumber } from '../values.ts';
import { parseQuery, resolveReflectedLoop, type FilterOptions } from './reflections-query.ts';

const DEFAULT_LIMIT = 10;
const DEFAULT_MIN_COUNT = 2;

/** `ralph reflections list`. */
export async function listReflections(options: OutputOptions & { loop?: string }): Promise<void> {
  const { records, damaged } = await readFrom(options.loop);
  const newestFirst = [...records].sort(
    (a, b) => Date.parse(b.reflection.timestamp) - Date.parse(a.reflection.timestamp),
  );
  printRecords(options, newestFirst, 'No reflections yet. Loops write them after failed attempts.');
  warnAboutDamaged(damaged);
}

/** `ralph reflections show LOOP [NUMBER]`; the number is the attempt's, 1-based. */
export async function showReflections(
  loop: string,
  number: string | undefined,
  options: OutputOptions,
): Promise<void> {
  const wanted = number === undefined ? undefined : parseWholeNumber('number', number);
  const root = findRepositoryRoot(process.cwd());
  const { records, damaged } = await readReflections(root, await resolveReflectedLoop(root, loop));
  const found = records.filter((record) => wanted === undefined || record.number === wanted);
  if (wanted !== undefined && found.length === 0) {
    const numbers = records.map((record) => record.number).join(', ');
    throw usageError(
      `${loop} has no reflection ${wanted}.`,
      numbers === '' ? 'The loop has no reflections.' : `Its reflections: ${numbers}.`,
    );
  }
  const values = found.map(({ reflection }) => reflection);
  printResult(options, wanted === undefined ? values : values[0], (chalk) =>
    found.flatMap((record) => renderDetails(record, chalk)),
  );
  warnAboutDamaged(damaged);
}

/** `ralph reflections search`. */
export async function searchCommand(
  words: readonly string[],
  options: OutputOptions & FilterOptions & { readonly limit?: string },
): Promise<void> {
  const limit = options.limit === undefined ? DEFAULT_LIMIT : parseWholeNumber('--limit', options.limit);
  const root = findRepositoryRoot(process.cwd());
  const query = await parseQuery(root, words, options);
  const { matches, damaged } = await searchStore(root, { ...query, limit });
  printRecords(
    options,
    matches.map(({ record }) => record),
    'Nothing matches.',
  );
  warnAboutDamaged(damaged);
}

/** `ralph reflections validate`; exit 7 if a file is invalid. */
export async function validateCommand(options: OutputOptions & { loop?: string }): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const reports = await validateReflections(
    root,
    options.loop === undefined ? undefined : await resolveReflectedLoop(root, options.loop),
  );
  printResult(options, reports, (chalk) => [
    ...reports.map((report) => renderReport(report, chalk)),
    renderTotals(reports),
  ]);
  if (reports.some(({ verdict }) => verdict === 'invalid')) process.exitCode = ExitCode.state;
}

/** `ralph reflections patterns`. */
export async function patternsCommand(options: OutputOptions & { min?: string }): Promise<void> {
  const min = options.min === undefined ? DEFAULT_MIN_COUNT : parseWholeNumber('--min', options.min);
  const { records, damaged } = await readFrom(undefined);
  const patterns = findPatterns(records, min);
  printResult(options, patterns, (chalk) =>
    patterns.length === 0
      ? [`No lesson, category, file or rule occurs in ${plural(min, 'reflection')} or more.`]
      : patterns.map(
          ({ kind, text, count, loops }) =>
            `${chalk.bold(String(count).padStart(4))}× in ${plural(loops, 'loop')}  ${chalk.cyan(kind.padEnd(8))} ${oneLine(text)}`,
        ),
  );
  warnAboutDamaged(damaged);
}

/** Warns about each file that could not be read. */
export function warnAboutDamaged(damaged: readonly DamagedFile[]): void {
  for (const { path, problem } of damaged) printWarning(`skipped ${path}: it ${problem}`);
}

async function readFrom(loop: string | undefined): ReturnType<typeof readReflections> {
  const root = findRepositoryRoot(process.cwd());
  return readReflections(root, loop === undefined ? undefined : await resolveReflectedLoop(root, loop));
}

function printRecords(options: OutputOptions, records: readonly ReflectionRecord[], emptyText: string): void {
  const values = records.map(({ path, reflection }) => ({ path, ...reflection }));
  printResult(options, values, (chalk) =>
    records.length === 0 ? [emptyText] : records.flatMap((record) => renderSummary(record, chalk)),
  );
}

function renderSummary({ path, reflection }: ReflectionRecord, chalk: ChalkInstance): string[] {
  const { credit_assignment: credit, confidence, reflection_text } = reflection.self_reflection;
  const head = `${reflection.timestamp.slice(0, 16).replace('T', ' ')}  ${chalk.cyan(credit?.failure_category ?? 'other')}  confidence ${(confidence ?? 0).toFixed(2)}`;
  return [
    `${chalk.bold(printable(path))}`,
    `  ${head}`,
    `  ${oneLine(credit?.root_cause ?? reflection_text)}`,
  ];
}

function renderDetails({ path, reflection }: ReflectionRecord, chalk: ChalkInstance): string[] {
  const self = reflection.self_reflection;
  const beyond = beyondText(reflection);
  const list = (title: string, items: readonly string[] = []): string[] =>
    items.length === 0 ? [] : [chalk.bold(title), ...items.map((item) => `  - ${oneLine(item)}`)];
  const { reward_signal: reward } = reflection.evaluator_output;
  return [
    chalk.bold(printable(path)),
    `attempt ${reflection.iteration + 1} of ${reflection.loop_id}${reward === undefined ? '' : `, reward ${reward.toFixed(3)}`}, ${self.credit_assignment?.failure_category ?? 'other'}, confidence ${(self.confidence ?? 0).toFixed(2)}`,
    '',
    printable(self.reflection_text),
    '',
    ...list('Next', beyond.insights),
    ...list('Lessons', beyond.lessons),
    ...(beyond.insights.length + beyond.lessons.length === 0 ? [] : ['']),
  ];
}

function renderReport({ path, verdict, problems }: FileReport, chalk: ChalkInstance): string {
  const file = printable(path);
  if (verdict === 'valid') return `${chalk.green('valid')}    ${file}`;
  const word = verdict === 'aiwg_only' ? chalk.yellow('foreign') : chalk.red('invalid');
  const shown = problems.slice(0, 3).map((problem) => `${problem.path} ${problem.message}`.trim());
  return `${word}  ${file}  ${oneLine(shown.join('; '))}`;
}

function renderTotals(reports: readonly FileReport[]): string {
  const count = (verdict: FileReport['verdict']): number =>
    reports.filter((report) => report.verdict === verdict).length;
  return `${plural(reports.length, 'file')}: ${count('valid')} valid, ${count('aiwg_only')} valid by AIWG's schema only, ${count('invalid')} invalid`;
}
