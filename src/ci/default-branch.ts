import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { writeDurably } from '../platform/files/durable-write.ts';
import { isFolder } from '../platform/files/is-folder.ts';
import { git, splitNul } from '../platform/git/git.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { ensureRalphFolder, RALPH_FOLDER } from '../platform/ralph-folder.ts';
import { copyPlainFiles } from './plain-files.ts';

/** Folder of the plan with the files of the default branch that decide about ralph, by their paths. */
export const DEFAULT_BRANCH_FOLDER = 'default-branch';

const MAX_FILES = 2000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const PLAIN_MODES: ReadonlySet<string> = new Set(['100644', '100755']);
const CONFIGURATION = /^(?:ralph\.config\.(?:json|js|mjs|ts)|package\.json)$/;
const STATE = [`${RALPH_FOLDER}/prompts/`, `${RALPH_FOLDER}/memory/`, `${RALPH_FOLDER}/reflections/`];

interface Blob {
  readonly path: string;
  readonly id: string;
  readonly bytes: number;
}

/**
 * Writes settings, prompts and memory of the remote's default branch into a folder: what the branch under repair holds
 * of these must not decide about the job that repairs it. Files that are no plain files, or have more than 1 MiB, are
 * left out. Nothing is written if the remote has no default branch. Nothing of it is run.
 */
export async function carryDefaultBranch(desk: RemoteDesk, url: string, folder: string): Promise<void> {
  const branch = await defaultBranchOf(desk, url);
  if (branch === undefined) return;
  const tip = await desk.fetch(branch);
  const blobs = boundedBlobs(parseTree(await desk.git(['ls-tree', '-r', '-l', '-z', tip])));
  if (blobs.length === 0) return;
  const contents = await desk.git(['cat-file', '--batch'], {
    input: blobs.map(({ id }) => `${id}\n`).join(''),
  });
  let at = 0;
  for (const { path, bytes } of blobs) {
    // One header line, the content, and a line feed for each object.
    const begin = contents.indexOf(0x0a, at) + 1;
    await writeDurably(join(folder, path), contents.subarray(begin, begin + bytes));
    at = begin + bytes + 1;
  }
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

/** Entries `<mode> <type> <id> <bytes>TAB<path>` of `git ls-tree -l`: the plain files that ralph reads. */
function parseTree(listed: Buffer): Blob[] {
  return splitNul(listed).flatMap((line) => {
    const [, mode = '', id = '', bytes = '', path = ''] =
      /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(line.toString('utf8')) ?? [];
    return PLAIN_MODES.has(mode) && decides(path) ? [{ path, id, bytes: Number(bytes) }] : [];
  });
}

/** True for the paths that ralph reads before it judges: configuration, prompts, memory. */
function decides(path: string): boolean {
  const segments = path.split('/');
  if (path.includes('\uFFFD') || posix.normalize(path) !== path || segments[0] === '..') return false;
  if (STATE.some((prefix) => path.startsWith(prefix))) return true;
  return CONFIGURATION.test(segments.at(-1)!) && !segments.includes('node_modules');
}

/** State and shallow paths first, so that a limit cuts off the configuration of far packages. */
function boundedBlobs(blobs: readonly Blob[]): Blob[] {
  const depth = ({ path }: Blob): number => (path.startsWith(RALPH_FOLDER) ? 0 : path.split('/').length);
  const kept: Blob[] = [];
  let total = 0;
  for (const blob of [...blobs].sort((a, b) => depth(a) - depth(b))) {
    if (blob.bytes > MAX_FILE_BYTES || total + blob.bytes > MAX_TOTAL_BYTES) continue;
    total += blob.bytes;
    kept.push(blob);
    if (kept.length === MAX_FILES) break;
  }
  return kept;
}
