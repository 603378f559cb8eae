import { join, resolve } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { programFile } from '../../platform/package-files.ts';
import { applyEdits, type Candidate } from '../syntax/edit.ts';
import { filesWithErrors } from './files-with-errors.ts';
import { configOf } from './typescript.ts';
import type { TypeCounts, TypeCountsRequest } from './type-counts.ts';

const TIMEOUT_MS = 20_000;
/** Room to load the compiler and the project. */
const START_MS = 20_000;
const MEMORY_MB = 3072;

/**
 * Number of type errors of a red type check that each candidate removes, negative for one that adds errors, by the
 * repository's own TypeScript. Empty if no type check is red; candidates that were not counted in time are absent. Never rejects.
 */
export async function removedTypeErrors(
  context: AttemptContext,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, number>> {
  const { root, project, sandbox, signal } = context;
  const plan = project.checks.find(
    (each) => each.tool === 'tsc' && filesWithErrors(context, each).length > 0,
  );
  if (plan === undefined || candidates.length === 0) return new Map();
  const scratch = makeTemporaryFolder('type-counts');
  try {
    const edits = await Promise.all(
      candidates.map(async ({ edits: own }) => {
        const { file } = own[0]!;
        return { file, text: applyEdits(await readTreeText(join(root, file)), own) };
      }),
    );
    const output = join(scratch, 'counts.json');
    const request: TypeCountsRequest = {
      root,
      config: configOf(root, plan),
      bin: plan.bin === undefined ? undefined : resolve(root, plan.bin),
      files: filesWithErrors(context, plan),
      edits,
      output,
      timeoutMs: TIMEOUT_MS,
    };
    await runProcess({
      file: process.execPath,
      args: [`--max-old-space-size=${MEMORY_MB}`, programFile('repair/fixers/type-counts')],
      cwd: resolve(root, plan.cwd),
      env: childEnvironment(),
      input: JSON.stringify(request),
      timeoutMs: TIMEOUT_MS + START_MS,
      sandbox: sandbox?.allowing({ write: [scratch] }),
      signal,
    });
    const { before, after } = JSON.parse(await readTreeText(output)) as TypeCounts;
    return new Map(after.map((left, index) => [candidates[index]!, before - left]));
  } catch {
    return new Map();
  } finally {
    removeTemporaryFolder(scratch);
  }
}
