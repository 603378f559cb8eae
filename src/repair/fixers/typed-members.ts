import { join, resolve } from 'node:path';
import { readTreeText } from '../../platform/files/read-bounded.ts';
import type { AttemptContext } from '../../ports/attempt.ts';
import { childEnvironment } from '../../platform/processes/environment.ts';
import { runProcess } from '../../platform/processes/process.ts';
import { configOf } from './typescript.ts';
import type { MemberTypes, MemberTypesRequest } from './member-types.ts';
import { programFile } from '../../platform/package-files.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../platform/files/temporary-folder.ts';

/** By file and by the offset of a member's name: other members whose type fits there, best first. */
export type TypedMembers = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>;

const TIMEOUT_MS = 8000;
const MEMORY_MB = 2048;
const TYPED = /\.[cm]?tsx?$/;

/**
 * Reads fitting members from the repository's own TypeScript, 5 or 6, in a separate process. Empty without a type
 * check, after a time-out and for files that are not TypeScript. Never rejects.
 */
export async function readTypedMembers(
  { root, project, sandbox, signal }: AttemptContext,
  files: readonly string[],
): Promise<TypedMembers> {
  const plan = project.checks.find(({ tool }) => tool === 'tsc');
  const typed = files.filter((file) => TYPED.test(file));
  if (plan === undefined || typed.length === 0) return new Map();
  const scratch = makeTemporaryFolder('members');
  try {
    const output = join(scratch, 'members.json');
    const request: MemberTypesRequest = { root, config: configOf(root, plan), files: typed, output };
    await runProcess({
      file: process.execPath,
      args: [`--max-old-space-size=${MEMORY_MB}`, programFile('repair/fixers/member-types')],
      cwd: resolve(root, plan.cwd),
      env: childEnvironment(),
      input: JSON.stringify(request),
      timeoutMs: TIMEOUT_MS,
      sandbox: sandbox?.allowing({ write: [scratch] }),
      signal,
    });
    const members = JSON.parse(await readTreeText(output)) as MemberTypes;
    return new Map(Object.entries(members).map(([file, places]) => [file, new Map(places)]));
  } catch {
    return new Map();
  } finally {
    removeTemporaryFolder(scratch);
  }
}
