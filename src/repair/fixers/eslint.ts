import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import type { LintedFile } from './eslint-report.ts';
import { createLinter, type Linter } from './eslint-run.ts';
import { applyLintEdits } from './apply-lint-edits.ts';
import { applySuggestions } from './eslint-suggestions.ts';
import { filesWithErrors } from './files-with-errors.ts';
import { type FixAction, type FixResult, nothingFixed } from './fix-result.ts';
import { addsSuppression } from './suppressions.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';

export interface EslintFixRequest {
  readonly context: AttemptContext;
  /** The check whose errors are to be fixed. */
  readonly plan: CheckPlan;
  /** Whether a file, relative to the root, may be changed. Default: sources that are no tests or configuration. */
  readonly isEditable?: (file: string) => boolean;
  /** For all runs of ESLint together. Default 120 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;

/**
 * Fixes lint errors with the repository's own ESLint: `--fix` on the source files that have errors, then ESLint's
 * suggestions for the errors left, then edits that their rules ask for. A file is restored if `--fix` does not lower its number of errors or adds a
 * suppression. Never rejects.
 */
export async function fixWithEslint(request: EslintFixRequest): Promise<FixResult> {
  const { context, plan, isEditable = isEditableSource, timeoutMs = TIMEOUT_MS } = request;
  const files = filesWithErrors(context, plan).filter(
    (file) => isEditable(file) && existsSync(join(context.root, file)),
  );
  if (files.length === 0) return nothingFixed('No editable source file has a lint error.');
  const bin = resolve(context.root, plan.bin ?? 'node_modules/eslint/bin/eslint.js');
  if (!existsSync(bin)) return nothingFixed('ESLint is not installed.');
  const scratch = makeTemporaryFolder('eslint');
  try {
    const linter = createLinter({ context, plan, bin, scratch, timeoutMs });
    return await fixFiles(context.root, files, linter);
  } catch (error) {
    return nothingFixed(`ESLint failed: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    removeTemporaryFolder(scratch);
  }
}

async function fixFiles(root: string, files: readonly string[], linter: Linter): Promise<FixResult> {
  const originals = await readAll(root, files);
  const before = await linter.lint(files, false);
  if (before === undefined) return nothingFixed('ESLint could not run on the files with errors.');
  const after = (await linter.lint(files, true)) ?? new Map<string, LintedFile>();
  const actions: FixAction[] = [];
  let errorsFixed = 0;
  for (const file of files) {
    const errors = before.get(file)?.errors ?? 0;
    const original = originals.get(file)!;
    const kept = await keepOrRestore({
      root,
      file,
      original,
      before: before.get(file),
      after: after.get(file),
    });
    if (kept.changed) {
      const fixed = plural(errors - kept.errors, 'error');
      actions.push({
        description: `eslint --fix fixed ${fixed} in ${file}.`,
        file,
        command: linter.command,
      });
    }
    const { report } = kept;
    if (report === undefined) {
      errorsFixed += errors - kept.errors;
      continue;
    }
    const suggested = await applySuggestions({ root, file, linter, report });
    const edited = await applyLintEdits({
      root,
      file,
      findings: suggested.report.findings,
      judge: async () => (await linter.lint([file], false))?.get(file)?.findings,
    });
    actions.push(...suggested.actions, ...edited.actions);
    errorsFixed += errors - edited.findings.length;
  }
  const changed = await changedFiles(root, originals);
  return {
    changed,
    before: new Map(changed.map((file) => [file, originals.get(file)!])),
    actions,
    errorsFixed,
    reason: changed.length === 0 ? 'ESLint has no fix for these errors.' : undefined,
  };
}

/** A file after `--fix`: changed, or restored. */
interface Kept {
  readonly changed: boolean;
  readonly errors: number;
  /** ESLint's report of the text that was kept. */
  readonly report: LintedFile | undefined;
}

async function keepOrRestore(fix: {
  readonly root: string;
  readonly file: string;
  readonly original: string;
  readonly before: LintedFile | undefined;
  readonly after: LintedFile | undefined;
}): Promise<Kept> {
  const { root, file, original, before, after } = fix;
  const path = join(root, file);
  const text = await readTreeText(path);
  const errors = before?.errors ?? 0;
  if (after !== undefined && after.errors < errors && !addsSuppression(original, text))
    return { changed: text !== original, errors: after.errors, report: after };
  if (text !== original) writeInTree(root, file, original);
  return { changed: false, errors, report: before };
}

async function readAll(root: string, files: readonly string[]): Promise<Map<string, string>> {
  const texts = await Promise.all(files.map((file) => readTreeText(join(root, file))));
  return new Map(files.map((file, index) => [file, texts[index]!]));
}

async function changedFiles(root: string, originals: ReadonlyMap<string, string>): Promise<string[]> {
  const now = await readAll(root, [...originals.keys()]);
  return [...originals].filter(([file, text]) => now.get(file) !== text).map(([file]) => file);
}
