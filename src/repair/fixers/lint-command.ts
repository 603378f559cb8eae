import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { toolEnvironment } from '../../platform/processes/tool-environment.ts';
import { plural } from '../../platform/text/plural.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { isEditableSource, isTestFile } from '../syntax/source-files.ts';
import { applyLintEdits } from './apply-lint-edits.ts';
import { nothingFixed, type FixAction, type FixResult } from './fix-result.ts';
import { lintCommandsOf, type LintCommands } from './lint-commands.ts';
import { parseLintOutput, type LintFinding } from './lint-output.ts';
import { addsSuppression } from './suppressions.ts';

/** A lint check that is a command, and the limits of its fixer. */
export interface LintCommandRequest {
  readonly context: AttemptContext;
  readonly plan: CheckPlan;
  /** For all runs of the command together. Default 120 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const KEEP_BYTES = 2_000_000;
const MAX_FILES = 20;

interface Linting {
  readonly context: AttemptContext;
  readonly plan: CheckPlan;
  readonly deadline: number;
  readonly commands: LintCommands;
}

/**
 * Fixes the errors of standard, xo, gts, biome, oxlint and prettier: with their own fixes first, then with edits at the
 * places that they name. A file is restored unless its number of errors falls. Never rejects.
 */
export async function fixWithLintCommand(request: LintCommandRequest): Promise<FixResult> {
  const { context, plan, timeoutMs = TIMEOUT_MS } = request;
  const commands = lintCommandsOf(plan.args[0] ?? '');
  if (commands === undefined) return nothingFixed('This linter is not known, so its errors are not fixed.');
  const linting: Linting = { context, plan, commands, deadline: performance.now() + timeoutMs };
  try {
    const all = await runLint(linting, plan.args[0]!);
    if (all === undefined) return nothingFixed('The linter could not run.');
    const files = [...new Set(all.map(({ file }) => file))]
      .filter((file) => isEditableSource(file) || (commands.isFormatter && isText(file)))
      .filter((file) => existsSync(join(context.root, file)))
      .slice(0, MAX_FILES);
    if (files.length === 0) return nothingFixed('No editable source file has a lint error.');
    return await fixFiles(linting, files);
  } catch (error) {
    return nothingFixed(`The linter failed: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Texts that no check reads as its configuration. */
const TEXT = /\.(mdx?|css|scss|less|html|vue|svelte|graphql)$/;

function isText(file: string): boolean {
  return TEXT.test(file) && !isTestFile(file);
}

async function fixFiles(linting: Linting, files: readonly string[]): Promise<FixResult> {
  const before = new Map<string, string>();
  const actions: FixAction[] = [];
  let errorsFixed = 0;
  for (const file of files) {
    const fixed = await fixFile(linting, file);
    if (fixed.errorsFixed === 0) continue;
    before.set(file, fixed.original);
    actions.push(...fixed.actions);
    errorsFixed += fixed.errorsFixed;
  }
  const reason = before.size === 0 ? 'The linter has no fix for these errors.' : undefined;
  return { changed: [...before.keys()], before, actions, errorsFixed, reason };
}

interface FixedFile {
  readonly original: string;
  readonly errorsFixed: number;
  readonly actions: readonly FixAction[];
}

async function fixFile(linting: Linting, file: string): Promise<FixedFile> {
  const { context, commands } = linting;
  const path = join(context.root, file);
  const original = await readTreeText(path);
  const paths = [relative(cwdOf(linting), path)];
  const judge = async (): Promise<readonly LintFinding[] | undefined> =>
    (await runLint(linting, commands.check(paths)))?.filter((finding) => finding.file === file);
  const before = await judge();
  if (before === undefined || before.length === 0) return { original, errorsFixed: 0, actions: [] };
  const command = commands.fix(paths);
  await runLint(linting, command);
  const after = await judge();
  const text = await readTreeText(path);
  const isBetter = after !== undefined && after.length < before.length && !addsSuppression(original, text);
  if (!isBetter && text !== original) writeInTree(context.root, file, original);
  const own: FixAction[] = isBetter
    ? [{ description: `Fixed ${plural(before.length - after.length, 'error')} in ${file}.`, file, command }]
    : [];
  const edited = await applyLintEdits({
    root: context.root,
    file,
    findings: isBetter ? after : before,
    judge,
  });
  return {
    original,
    errorsFixed: before.length - edited.findings.length,
    actions: [...own, ...edited.actions],
  };
}

function cwdOf({ context, plan }: Linting): string {
  return resolve(context.root, plan.cwd);
}

/** The errors that a command line prints; undefined if it could not run, or failed without naming one. */
async function runLint(linting: Linting, shell: string): Promise<readonly LintFinding[] | undefined> {
  const { context, plan, deadline } = linting;
  const timeoutMs = deadline - performance.now();
  if (timeoutMs <= 0 || context.signal.aborted) return undefined;
  const cwd = cwdOf(linting);
  const { exitCode, stdout, stderr } = await runProcess({
    shell,
    cwd,
    env: toolEnvironment([cwd, context.root], plan.env),
    timeoutMs,
    sandbox: context.sandbox,
    signal: context.signal,
    keepBytes: KEEP_BYTES,
  });
  if (exitCode === 0) return [];
  const findings = parseLintOutput(`${stdout}\n${stderr}`, { root: context.root, cwd });
  return exitCode === null || findings.length === 0 ? undefined : findings;
}
