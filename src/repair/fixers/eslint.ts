import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import type { AttemptContext, CheckPlan } from '../../ports.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { toolEnvironment } from '../../platform/processes/tool-environment.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { configurationArgs } from './eslint-arguments.ts';
import { parseLintReport, type LintedFile, type Suggestion } from './eslint-report.ts';
import { type FixAction, type FixResult, nothingFixed } from './fix-result.ts';
import { addsSuppression } from './suppressions.ts';

export interface EslintFixRequest {
  readonly context: AttemptContext;
  /** The check whose errors are to be mended. */
  readonly plan: CheckPlan;
  /** Whether a file, relative to the root, may be changed. Default: sources that are no tests or configuration. */
  readonly isEditable?: (file: string) => boolean;
  /** For everything together. Default 120 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const MAX_SUGGESTIONS = 20;

/**
 * Mends lint errors with the repository's own ESLint: `--fix` on the source files that have errors, then the
 * suggestions for what is left, one at a time, each kept only where errors fall. A file that does not end
 * with fewer errors, or ends with a suppression, is put back. Never rejects.
 */
export async function fixWithEslint(request: EslintFixRequest): Promise<FixResult> {
  const { context, plan } = request;
  const files = filesWithErrors(request);
  if (files.length === 0) return nothingFixed('No lint error stands in a source file that may be changed.');
  const bin = resolve(context.root, plan.bin ?? 'node_modules/eslint/bin/eslint.js');
  if (!existsSync(bin)) return nothingFixed('ESLint is not installed here.');
  const scratch = await mkdtemp(join(tmpdir(), 'ralph-eslint-'));
  try {
    const lint = createLinter({ ...request, bin, scratch });
    return await fixFiles(context.root, files, lint);
  } catch (error) {
    return nothingFixed(`ESLint could not fix: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Linter {
  /** Reports by file, relative to the root; undefined when ESLint could not run. */
  lint(files: readonly string[], fix: boolean): Promise<ReadonlyMap<string, LintedFile> | undefined>;
  readonly command: string;
  hasTime(): boolean;
}

function filesWithErrors({ context, plan, isEditable = isEditableSource }: EslintFixRequest): string[] {
  const files = context.evaluation.diagnostics
    .filter(({ check, severity }) => check === plan.name && severity === 'error')
    .map(({ file }) => file)
    .filter((file): file is string => file !== undefined && isEditable(file));
  return [...new Set(files)].filter((file) => existsSync(join(context.root, file)));
}

function createLinter({
  context,
  plan,
  bin,
  scratch,
  timeoutMs = TIMEOUT_MS,
}: EslintFixRequest & { bin: string; scratch: string }): Linter {
  const cwd = resolve(context.root, plan.cwd);
  const deadline = performance.now() + timeoutMs;
  const own = configurationArgs(plan.args);
  const hasTime = (): boolean => performance.now() < deadline && !context.signal.aborted;
  return {
    command: ['eslint', ...own, '--fix'].join(' '),
    hasTime,
    async lint(files, fix) {
      if (!hasTime()) return undefined;
      const report = join(scratch, 'report.json');
      await rm(report, { force: true });
      const paths = files.map((file) => relative(cwd, join(context.root, file)));
      const output = ['--no-color', '--format', 'json', '-o', report];
      await runProcess({
        file: process.execPath,
        args: [bin, ...own, ...(fix ? ['--fix'] : []), ...output, '--', ...paths],
        cwd,
        env: toolEnvironment([cwd, context.root], plan.env),
        timeoutMs: Math.max(1, deadline - performance.now()),
        sandbox: context.sandbox?.allowing({ write: [scratch] }),
        signal: context.signal,
      });
      const text = await readFile(report, 'utf8').catch(() => undefined);
      return text === undefined ? undefined : parseLintReport(text, context.root);
    },
  };
}

async function fixFiles(root: string, files: readonly string[], linter: Linter): Promise<FixResult> {
  const originals = await readAll(root, files);
  const before = await linter.lint(files, false);
  if (before === undefined) return nothingFixed('ESLint could not run on the files with errors.');
  const after = (await linter.lint(files, true)) ?? new Map<string, LintedFile>();
  const actions: FixAction[] = [];
  const errorsLeft = new Map<string, number>();
  for (const file of files) {
    const kept = await keepOrRestore({ root, file, original: originals.get(file)!, before, after });
    const left = kept.errors - (await applySuggestions({ root, file, linter, actions }, kept));
    errorsLeft.set(file, left);
    if (kept.changed) {
      const fixed = errorsOf(before, file) - kept.errors;
      actions.unshift({
        description: `eslint --fix mended ${fixed} errors in ${file}.`,
        file,
        command: linter.command,
      });
    }
  }
  const errorsFixed = files.reduce((sum, file) => sum + errorsOf(before, file) - errorsLeft.get(file)!, 0);
  const changed = await changedFiles(root, originals);
  return {
    changed,
    actions,
    errorsFixed,
    ...(changed.length === 0 && { reason: 'ESLint has no fix for these errors.' }),
  };
}

interface Kept {
  readonly changed: boolean;
  readonly errors: number;
  readonly report: LintedFile | undefined;
}

async function keepOrRestore(fix: {
  readonly root: string;
  readonly file: string;
  readonly original: string;
  readonly before: ReadonlyMap<string, LintedFile>;
  readonly after: ReadonlyMap<string, LintedFile>;
}): Promise<Kept> {
  const { root, file, original, before, after } = fix;
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  const report = after.get(file);
  const better =
    report !== undefined && report.errors < errorsOf(before, file) && !addsSuppression(original, text);
  if (better) return { changed: text !== original, errors: report.errors, report };
  if (text !== original) await writeFile(path, original);
  return { changed: false, errors: errorsOf(before, file), report: before.get(file) };
}

interface SuggestionRun {
  readonly root: string;
  readonly file: string;
  readonly linter: Linter;
  readonly actions: FixAction[];
}

/** Tries suggestions until none helps; returns how many errors went. */
async function applySuggestions(run: SuggestionRun, { errors, report }: Kept): Promise<number> {
  let current = report;
  let left = errors;
  const tried = new Set<string>();
  for (let count = 0; count < MAX_SUGGESTIONS && current !== undefined && left > 0; count++) {
    const next = current.suggestions.find((suggestion) => !tried.has(keyOf(suggestion)));
    if (next === undefined) break;
    tried.add(keyOf(next));
    const better = await trySuggestion(run, next, left);
    if (better === undefined) continue;
    run.actions.push({
      description: `Took the suggestion of ${next.rule} in ${run.file}: ${next.text}`,
      file: run.file,
    });
    left = better.errors;
    current = better;
  }
  return errors - left;
}

async function trySuggestion(
  { root, file, linter }: SuggestionRun,
  suggestion: Suggestion,
  errors: number,
): Promise<LintedFile | undefined> {
  const path = join(root, file);
  const text = await readFile(path, 'utf8');
  const changed = applySuggestion(text, suggestion);
  if (addsSuppression(text, changed)) return undefined;
  await writeFile(path, changed);
  const report = (await linter.lint([file], false))?.get(file);
  if (report !== undefined && report.errors < errors) return report;
  await writeFile(path, text);
  return undefined;
}

/** ESLint's ranges do not count a byte order mark. */
function applySuggestion(text: string, { range: [start, end], replacement }: Suggestion): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  return text.slice(0, start + mark) + replacement + text.slice(end + mark);
}

function keyOf({ rule, text, range, replacement }: Suggestion): string {
  return [rule, text, ...range, replacement].join('\0');
}

function errorsOf(reports: ReadonlyMap<string, LintedFile>, file: string): number {
  return reports.get(file)?.errors ?? 0;
}

async function readAll(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return new Map(files.map((file, index) => [file, texts[index]!]));
}

async function changedFiles(root: string, originals: ReadonlyMap<string, string>): Promise<string[]> {
  const now = await readAll(root, [...originals.keys()]);
  return [...originals].filter(([file, text]) => now.get(file) !== text).map(([file]) => file);
}
