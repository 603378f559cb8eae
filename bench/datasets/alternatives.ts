import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Alternative, Trajectory } from '../../src/schema/generated.ts';
import { childEnvironment } from '../../src/platform/processes/environment.ts';
import { runProcess } from '../../src/platform/processes/process.ts';

/** The other plausible patches of an attempt, best first. */
export function alternativesOf({ alternatives = [] }: Trajectory): readonly Alternative[] {
  return alternatives;
}

/** What a file is with a patch of it; undefined where the patch does not apply. `path` is the patch's. */
export async function patched(path: string, text: string, patch: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-patch-'));
  try {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    await writeFile(join(folder, 'change.patch'), patch);
    const { exitCode } = await runProcess({
      file: 'git',
      args: ['apply', 'change.patch'],
      cwd: folder,
      // Outside any repository that the temporary folder may lie in.
      env: { ...childEnvironment(), GIT_CEILING_DIRECTORIES: dirname(folder) },
      keepBytes: 10_000,
    });
    return exitCode === 0 ? await readFile(join(folder, path), 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file of the tree that the first attempt started from. */
export interface StartingFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether what was accepted, or an alternative to it, passes the judge: the best of a run's candidates. Counted
 * are the alternatives of the first attempt that has any: those of later ones start from another text.
 */
export async function bestOfCandidates(
  trajectories: readonly Trajectory[],
  { path, text }: StartingFile,
  accepted: { readonly passes: boolean; readonly judge: (text: string) => Promise<boolean> },
): Promise<boolean> {
  if (accepted.passes) return true;
  const first = trajectories.find((trajectory) => alternativesOf(trajectory).length > 0);
  for (const { patch } of first === undefined ? [] : alternativesOf(first)) {
    const changed = await patched(path, text, patch);
    if (changed !== undefined && (await accepted.judge(changed))) return true;
  }
  return false;
}
