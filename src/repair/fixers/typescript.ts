import { join, resolve } from 'node:path';
import { writeInTree } from '../../platform/files/write-in-tree.ts';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import type { CheckPlan } from '../../ports/plan.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { isEditableSource } from '../syntax/source-files.ts';
import { filesWithErrors } from './files-with-errors.ts';
import { type FixResult, nothingFixed } from './fix-result.ts';
import { addsSuppression } from './suppressions.ts';
import type { TypeFixes, TypeFixRequest } from './type-fixes.ts';
import { programFile } from '../../platform/package-files.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';

export interface TypeScriptFixRequest {
  readonly context: AttemptContext;
  /** The check whose errors are to be fixed. */
  readonly plan: CheckPlan;
  /** Whether a file, relative to the root, may be changed. Default: sources that are no tests or configuration. */
  readonly isEditable?: (file: string) => boolean;
  /** Only names that TypeScript itself says are misspelt are corrected. Default false. */
  readonly isSpellingOnly?: boolean;
  /** Default 60 s. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const EXIT_MARGIN_MS = 15_000;
const MEMORY_MB = 3_072;

/**
 * Fixes type errors with the repository's own TypeScript, 5 to 7: its quick fixes first, then small edits near the errors
 * left. A change is kept only if the number of errors falls and no file gets more. Runs in a process of its own with
 * limits on time and memory. Never rejects.
 */
export async function fixWithTypeScript(request: TypeScriptFixRequest): Promise<FixResult> {
  const { context, isEditable = isEditableSource } = request;
  const files = filesWithErrors(context, request.plan).filter(isEditable);
  if (files.length === 0) return nothingFixed('No editable source file has a type error.');
  const scratch = makeTemporaryFolder('types');
  try {
    const fixes = await runWorker(request, files, scratch);
    if (fixes === undefined) return nothingFixed('TypeScript did not finish in time or could not run.');
    return await writeChanges(context.root, fixes, isEditable);
  } catch (error) {
    return nothingFixed(`Type fixes failed: ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    removeTemporaryFolder(scratch);
  }
}

async function runWorker(
  { context, plan, isSpellingOnly = false, timeoutMs = TIMEOUT_MS }: TypeScriptFixRequest,
  files: readonly string[],
  scratch: string,
): Promise<TypeFixes | undefined> {
  const cwd = resolve(context.root, plan.cwd);
  const output = join(scratch, 'fixes.json');
  const request: TypeFixRequest = {
    root: context.root,
    config: configOf(context.root, plan),
    bin: plan.bin === undefined ? undefined : resolve(context.root, plan.bin),
    files,
    isCodeTested: isCodeTested(context),
    isSpellingOnly,
    output,
    timeoutMs,
  };
  await runProcess({
    file: process.execPath,
    args: [`--max-old-space-size=${MEMORY_MB}`, programFile('repair/fixers/type-fixes')],
    cwd,
    env: childEnvironment(),
    input: JSON.stringify(request),
    timeoutMs: timeoutMs + EXIT_MARGIN_MS,
    sandbox: context.sandbox?.allowing({ write: [scratch] }),
    signal: context.signal,
  });
  const text = await readTreeText(output).catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as TypeFixes);
}

function isCodeTested({ evaluation }: AttemptContext): boolean {
  const statuses = evaluation.tests.map(({ status }) => status);
  return statuses.includes('passed') && !statuses.includes('failed');
}

/** Absolute path of the configuration file that a type check uses. */
export function configOf(root: string, { args, config, cwd }: CheckPlan): string {
  const file = projectArgument(args) ?? (config && resolve(root, config)) ?? 'tsconfig.json';
  return resolve(root, cwd, file);
}

function projectArgument(args: readonly string[]): string | undefined {
  const index = args.findIndex((arg) => arg === '-p' || arg === '--project');
  return index < 0 ? undefined : args[index + 1];
}

async function writeChanges(
  root: string,
  fixes: TypeFixes,
  isEditable: (file: string) => boolean,
): Promise<FixResult> {
  const { changes, errorsBefore, errorsAfter } = fixes;
  const before = new Map<string, string>();
  for (const { file, text } of changes) {
    const original = await readTreeText(join(root, file));
    before.set(file, original);
    if (!isEditable(file) || addsSuppression(original, text)) {
      return nothingFixed(
        `A type fix would have changed ${file}, which is not editable, or added a suppression.`,
      );
    }
  }
  for (const { file, text } of changes) writeInTree(root, file, text);
  return {
    changed: changes.map(({ file }) => file),
    before,
    actions: fixes.actions,
    errorsFixed: errorsBefore - errorsAfter,
    reason: fixes.reason,
  };
}
