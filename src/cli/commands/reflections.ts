import type { ChalkInstance } from 'chalk';
import { findRepositoryRoot } from '../../platform/repository-root.ts';
import { ExitCode, usageError } from '../../errors.ts';
import { findPatterns } from '../../memory/analysis/patterns.ts';
import { searchStore } from '../../memory/search/search-store.ts';
import { phrasesOf } from '../../memory/text/full-text.ts';
import {
  listReflectionFiles,
  readReflections,
  type DamagedFile,
  type ReflectionRecord,
} from '../../memory/episodes/reflection-files.ts';
import type { ReflectionQuery } from '../../memory/search/search.ts';
import { validateReflections, type FileReport } from '../../memory/episodes/validate.ts';
import type { FailureCategory } from '../../schema/generated.ts';
import { resolveLoopId } from '../../state/loops.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { printable } from '../../platform/text/printable.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';

const CATEGORIES: readonly FailureCategory[] = [
  'hallucination',
  'inefficient_planning',
  'incorrect_assumption',
  'incomplete_implementation',
  'edge_case_miss',
  'integration_error',
  'configuration_error',
  'logic_error',
  'other',
];

/** `ralph reflections list`. */
export async function listReflections(options: OutputOptions & { loop?: string }): Promise<void> {
  const { records, damaged } = await read(options.loop);
  const newestFirst = [...records].sort(
    (a, b) => Date.parse(b.reflection.timestamp) - Date.parse(a.reflection.timestamp),
  );
  printRecords(options, newestFirst, 'No reflections yet: they are written when an attempt fails.');
  warnOf(damaged);
}

/** `ralph reflections show LOOP [NUMBER]`; the number is the attempt's, from 1. */
export async function showReflections(
  loop: string,
  number: string | undefined,
  options: OutputOptions,
): Promise<void> {
  const wanted = number === undefined ? undefined : wholeNumber(number, 'The reflection number', 1);
  const root = findRepositoryRoot(process.cwd());
  const { records, damaged } = await readReflections(root, await knownLoop(root, loop));
  const found = records.filter((record) => wanted === undefined || record.number === wanted);
  if (wanted !== undefined && found.length === 0) {
    throw usageError(
      `${loop} has no reflection ${wanted}.`,
      `It has ${records.map((record) => record.number).join(', ') || 'none'}.`,
    );
  }
  const values = found.map(({ reflection }) => reflection);
  printResult(options, wanted === undefined ? values : values[0], (chalk) =>
    found.flatMap((record) => renderWhole(record, chalk)),
  );
  warnOf(damaged);
}

/** Words and filters as they were typed. */
export interface FilterOptions {
  readonly category?: readonly string[];
  readonly minConfidence?: string;
  readonly loop?: string;
  readonly file?: string;
  readonly fingerprint?: string;
  readonly since?: string;
}

/** `ralph reflections search`. */
export async function searchCommand(
  words: readonly string[],
  options: OutputOptions & FilterOptions & { readonly limit?: string },
): Promise<void> {
  const limit = options.limit === undefined ? 10 : wholeNumber(options.limit, '--limit', 1);
  const root = findRepositoryRoot(process.cwd());
  const { matches, damaged } = await searchStore(root, { ...(await queryOf(root, words, options)), limit });
  printRecords(
    options,
    matches.map(({ record }) => record),
    'Nothing matches.',
  );
  warnOf(damaged);
}

/** `ralph reflections validate`; exit 7 where a file is damaged. */
export async function validateCommand(options: OutputOptions & { loop?: string }): Promise<void> {
  const root = findRepositoryRoot(process.cwd());
  const reports = await validateReflections(
    root,
    options.loop === undefined ? undefined : await knownLoop(root, options.loop),
  );
  printResult(options, reports, (chalk) => [
    ...reports.map((report) => renderReport(report, chalk)),
    summaryOf(reports),
  ]);
  if (reports.some(({ verdict }) => verdict === 'invalid')) process.exitCode = ExitCode.state;
}

/** `ralph reflections patterns`. */
export async function patternsCommand(options: OutputOptions & { min?: string }): Promise<void> {
  const min = options.min === undefined ? 2 : wholeNumber(options.min, '--min', 1);
  const { records, damaged } = await read(undefined);
  const patterns = findPatterns(records, min);
  printResult(options, patterns, (chalk) =>
    patterns.length === 0
      ? [`Nothing is said by ${min} reflections or more.`]
      : patterns.map(
          ({ kind, text, count, loops }) =>
            `${chalk.bold(String(count).padStart(4))}× in ${loops} ${loops === 1 ? 'loop' : 'loops'}  ${chalk.cyan(kind.padEnd(8))} ${line(text)}`,
        ),
  );
  warnOf(damaged);
}

async function read(loop: string | undefined): ReturnType<typeof readReflections> {
  const root = findRepositoryRoot(process.cwd());
  return readReflections(root, loop === undefined ? undefined : await knownLoop(root, loop));
}

/** A loop may be known by its reflections alone: they are committed, its run is not. */
async function knownLoop(root: string, loop: string): Promise<string> {
  const files = await listReflectionFiles(root, loop);
  return files.length > 0 ? loop : resolveLoopId(root, loop);
}

/** Throws a usage RalphError that names the option and the value. */
export async function queryOf(
  root: string,
  words: readonly string[],
  options: FilterOptions,
): Promise<ReflectionQuery> {
  const { category, minConfidence, file, fingerprint, since, loop } = options;
  return {
    words: words
      .flatMap((text) => text.split(/\s+/))
      .filter((word) => word !== '')
      .map(searchable),
    ...(category !== undefined && { categories: category.map(knownCategory) }),
    ...(minConfidence !== undefined && { minConfidence: confidenceOf(minConfidence) }),
    ...(file !== undefined && { file }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(since !== undefined && { since }),
    ...(loop !== undefined && { loop: await knownLoop(root, loop) }),
  };
}

function searchable(word: string): string {
  if (phrasesOf([word]).length > 0) return word;
  throw usageError(
    `"${word}" cannot be searched for: it has no letter and no digit.`,
    'Give a word that stands beside it.',
  );
}

function knownCategory(text: string): FailureCategory {
  const known = CATEGORIES.find((category) => category === text.trim());
  if (known !== undefined) return known;
  const near = nearest(text.trim(), CATEGORIES);
  throw usageError(
    `--category ${text} is no failure category.`,
    near === undefined ? `Known: ${CATEGORIES.join(', ')}.` : `Did you mean ${near}?`,
  );
}

function confidenceOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw usageError(`--min-confidence ${text}: it must be a number from 0 to 1.`);
}

function wholeNumber(text: string, name: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
  throw usageError(`${name} ${text}: it must be a whole number, ${least} or more.`);
}

function printRecords(options: OutputOptions, records: readonly ReflectionRecord[], none: string): void {
  const values = records.map(({ path, reflection }) => ({ path, ...reflection }));
  printResult(options, values, (chalk) =>
    records.length === 0 ? [none] : records.flatMap((record) => renderShort(record, chalk)),
  );
}

function renderShort({ path, reflection }: ReflectionRecord, chalk: ChalkInstance): string[] {
  const { credit_assignment: credit, confidence, reflection_text } = reflection.self_reflection;
  const head = `${reflection.timestamp.slice(0, 16).replace('T', ' ')}  ${chalk.cyan(credit?.failure_category ?? 'other')}  confidence ${(confidence ?? 0).toFixed(2)}`;
  return [`${chalk.bold(printable(path))}`, `  ${head}`, `  ${line(credit?.root_cause ?? reflection_text)}`];
}

function renderWhole({ path, reflection }: ReflectionRecord, chalk: ChalkInstance): string[] {
  const self = reflection.self_reflection;
  const list = (title: string, items: readonly string[] | undefined): string[] =>
    (items ?? []).length === 0
      ? []
      : [chalk.bold(title), ...(items ?? []).map((item) => `  - ${line(item)}`)];
  const { reward_signal: reward } = reflection.evaluator_output;
  return [
    chalk.bold(printable(path)),
    `attempt ${reflection.iteration + 1} of ${reflection.loop_id}${reward === undefined ? '' : `, reward ${reward.toFixed(3)}`}, ${self.credit_assignment?.failure_category ?? 'other'}, confidence ${(self.confidence ?? 0).toFixed(2)}`,
    '',
    printable(self.reflection_text),
    '',
    ...list('Next', self.actionable_insights),
    ...list('Lessons', self.lessons_learned),
    '',
  ];
}

function renderReport({ path, verdict, problems }: FileReport, chalk: ChalkInstance): string {
  const place = printable(path);
  if (verdict === 'valid') return `${chalk.green('valid')}    ${place}`;
  const word = verdict === 'aiwg_only' ? chalk.yellow('foreign') : chalk.red('invalid');
  const told = problems.slice(0, 3).map((problem) => `${problem.path} ${problem.message}`.trim());
  return `${word}  ${place}  ${line(told.join('; '))}`;
}

function summaryOf(reports: readonly FileReport[]): string {
  const count = (verdict: FileReport['verdict']): number =>
    reports.filter((report) => report.verdict === verdict).length;
  return `${reports.length} files: ${count('valid')} valid, ${count('aiwg_only')} valid by AIWG's schema alone, ${count('invalid')} invalid`;
}

/** Names what was left out, on standard error. */
export function warnOf(damaged: readonly DamagedFile[]): void {
  for (const { path, problem } of damaged)
    process.stderr.write(`ralph: skipped ${printable(path)}: it ${printable(problem)}\n`);
}

function line(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
