import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { writeDurably } from '../platform/files/durable-write.ts';
import { isFolder } from '../platform/files/is-folder.ts';
import { git, splitNul } from '../platform/git/git.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import type { CommandPlan } from '../ports/plan.ts';
import { ensureRalphFolder, RALPH_FOLDER } from '../platform/ralph-folder.ts';
import { namedByConfiguration } from '../workspace/protect/configuration.ts';
import { readManifests } from '../workspace/protect/scripts-and-entries.ts';
import { judgingPrograms } from '../workspace/protect/judging-programs.ts';
import { isConfiguration, isEnvironment } from '../workspace/protect/protected-paths.ts';
import { readBlobs } from '../workspace/snapshots/blobs.ts';
import type { TreeReader } from '../workspace/snapshots/snapshots.ts';
import { parseTree, PLAIN_MODES, type ListedFile } from './listed-tree.ts';
import { copyPlainFiles } from './plain-files.ts';
import { configuresChecks, mayBeRun } from './rules/judging-paths.ts';

/** Folder of the plan with the files of the default branch that decide about ralph and its checks, by their paths. */
export const DEFAULT_BRANCH_FOLDER = 'default-branch';
/** File of the plan that lists every file of the default branch, as `git ls-tree -r -l -z` does. */
export const DEFAULT_BRANCH_LIST = 'default-branch.tree';

const MAX_FILES = 4000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const CONFIGURATION = /^(?:ralph\.config\.(?:json|js|mjs|ts)|package\.json|AGENTS\.md|CLAUDE\.md)$/;
const STATE = [`${RALPH_FOLDER}/prompts/`, `${RALPH_FOLDER}/memory/`, `${RALPH_FOLDER}/reflections/`];

/**
 * Writes settings, prompts, memory, and whatever decides how the checks run, as the remote's default branch has them: what
 * the branch under repair holds of these must not decide about the job that repairs it. Files that are no plain files, or
 * have more than 1 MiB, are only listed. Nothing is written if the remote has no default branch. Nothing of it is run.
 */
export async function carryDefaultBranch(desk: RemoteDesk, url: string, planFolder: string): Promise<void> {
  const branch = await defaultBranchOf(desk, url);
  if (branch === undefined) return;
  const tip = await desk.fetch(branch);
  const listed = await desk.git(['ls-tree', '-r', '-l', '-z', tip]);
  const files = parseTree(listed);
  const read = (ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> =>
    readBlobs(ids, { cwd: desk.gitDir, gitDir: desk.gitDir });
  const reader = { listFiles: () => Promise.resolve(files), readBlobs: read };
  const { named: programs, loaded, run } = await judgingPrograms(await everyScript(tip, reader), tip, reader);
  const named = new Set([...(await namedByConfiguration(tip, reader)), ...programs, ...loaded, ...run]);
  const carried = bounded(files.filter(({ path }) => decides(path) || named.has(path)));
  const contents = await read(carried.map(({ id }) => id));
  for (const { path, id } of carried)
    await writeDurably(join(planFolder, DEFAULT_BRANCH_FOLDER, path), contents.get(id)!);
  await writeDurably(join(planFolder, DEFAULT_BRANCH_LIST), listed);
}

/**
 * Replaces the files of `.aiwg` that the checked out commit brings by those of the default branch. Files that git does
 * not track, such as loops of earlier runs on this machine, stay.
 */
export async function restoreDefaultBranch(root: string, planFolder: string): Promise<void> {
  const tracked = splitNul(
    await git(['ls-tree', '-r', '-z', '--name-only', 'HEAD', '--', '.aiwg'], { cwd: root }),
  );
  for (const path of tracked) await rm(join(root, path.toString()), { recursive: true, force: true });
  ensureRalphFolder(root);
  const carried = join(planFolder, DEFAULT_BRANCH_FOLDER, RALPH_FOLDER);
  if (isFolder(carried)) await copyPlainFiles(carried, join(root, RALPH_FOLDER));
}

async function defaultBranchOf(desk: RemoteDesk, url: string): Promise<string | undefined> {
  const listed = (await desk.git(['ls-remote', '--symref', url, 'HEAD'])).toString('utf8');
  return /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(listed)?.[1];
}

/** The scripts of every package.json, since a check may run any of them. */
async function everyScript(tip: string, reader: TreeReader): Promise<CommandPlan[]> {
  const files = new Map((await reader.listFiles(tip)).map((file) => [file.path, file]));
  const manifests = await readManifests(files, reader);
  return [...manifests].flatMap(([cwd, { scripts }]) =>
    Object.values(scripts).flatMap((command) => (typeof command === 'string' ? { command, cwd } : [])),
  );
}

/** True for the paths that ralph reads before it judges, and for those that may decide how the checks run. */
function decides(path: string): boolean {
  const segments = path.split('/');
  if (path.includes('\uFFFD') || posix.normalize(path) !== path || segments[0] === '..') return false;
  if (STATE.some((prefix) => path.startsWith(prefix))) return true;
  if (segments.includes('node_modules')) return false;
  return (
    CONFIGURATION.test(segments.at(-1)!) || configuresChecks(path) || mayBeRun(path) || isEnvironment(path)
  );
}

/** State, configuration and shallow paths first, so that a limit cuts off what decides least. */
function bounded(files: readonly ListedFile[]): ListedFile[] {
  const rank = ({ path }: ListedFile): number =>
    path.startsWith(RALPH_FOLDER) ? 0 : path.split('/').length + (isConfiguration(path) ? 0 : MAX_FILES);
  const kept: ListedFile[] = [];
  let total = 0;
  for (const file of [...files].sort((a, b) => rank(a) - rank(b))) {
    const isCarried = PLAIN_MODES.has(file.mode) && file.bytes <= MAX_FILE_BYTES;
    if (!isCarried || total + file.bytes > MAX_TOTAL_BYTES) continue;
    total += file.bytes;
    kept.push(file);
    if (kept.length === MAX_FILES) break;
  }
  return kept;
}
