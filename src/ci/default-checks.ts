import { join, posix } from 'node:path';
import { git, splitNul } from '../platform/git/git.ts';
import type { CommandPlan } from '../ports.ts';
import { namedByConfiguration } from '../workspace/protect/configuration.ts';
import { namedByCommands } from '../workspace/protect/judges.ts';
import { isNamedTest } from '../workspace/protect/protected-paths.ts';
import { shadowsOf } from '../workspace/protect/shadows.ts';
import type { TreeReader } from '../workspace/snapshots/snapshots.ts';
import { DEFAULT_BRANCH_FOLDER, DEFAULT_BRANCH_LIST } from './default-branch.ts';
import { parseTree, PLAIN_MODES, type ListedFile } from './listed-tree.ts';
import { readPlainFile } from './plain-files.ts';
import { createReplacedFiles, type ReplacedFiles } from './replaced-files.ts';
import { exchangedPackage, judgedManifest } from './rules/judged-manifest.ts';
import { configuresChecks, mayBeRun } from './rules/judging-paths.ts';
import { isManifest } from './rules/patch-rules.ts';

/** The checks of the default branch, put in place of those of a checked out branch. */
export interface DefaultChecks {
  /** Puts the files in place that these commands run or compare with. Returns a sentence on what is in the way. */
  take(commands: readonly CommandPlan[]): Promise<string | undefined>;
  /** A file of the branch or of a patch as it is judged: of a package.json, scripts and settings are the default branch's. */
  judged(path: string, content: Buffer): Buffer;
  /** Puts the branch's own files back. */
  restore(): Promise<void>;
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Puts configuration of the checks, what it names, and the scripts of every package.json as the default branch has them
 * into a checkout, and removes configuration that only the checked out branch brings, except in folders that only it has.
 * Tests, sources, dependencies and lock files stay. Returns a sentence if that is not possible; the checkout is then as before.
 */
async function openDefaultChecks(root: string, planFolder: string): Promise<DefaultChecks | string> {
  const listed = await readPlainFile(join(planFolder, DEFAULT_BRANCH_LIST), MAX_LIST_BYTES);
  if (listed === undefined) return 'The plan holds no list of the default branch: the remote has none.';
  const branches = { theirs: byPath(listed), own: await filesOf(root) };
  const carried = await readCarried(branches.theirs, join(planFolder, DEFAULT_BRANCH_FOLDER));
  const installed = broughtPackage(branches);
  if (installed !== undefined)
    return `The branch brings ${installed}, which would be used in place of an installed package.`;
  const replaced = createReplacedFiles(root);
  const judged = (path: string, content: Buffer): Buffer =>
    isManifest(path) && isJudgedFolder(path, branches)
      ? Buffer.from(judgedManifest(carried.get(path)?.toString('utf8'), content.toString('utf8')))
      : content;
  const place = async (paths: ReadonlySet<string>): Promise<string | undefined> => {
    for (const path of paths) {
      const [theirs, own] = [branches.theirs.get(path), branches.own.get(path)];
      if (theirs !== undefined && theirs.id === own?.id && theirs.mode === own.mode) continue;
      const content = carried.get(path);
      if (theirs !== undefined && content === undefined)
        return `${path} decides how the checks run and differs from the default branch, where it is a link or has more than 1 MiB.`;
      const problem = await replaced.put(path, content, theirs?.mode === '100755');
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const reader = readerOf(branches.theirs, carried);
  const first =
    (await placeManifests(branches, { root, carried, replaced })) ??
    (await place(await configurationOf(branches, reader)));
  if (first !== undefined) {
    await replaced.restore();
    return first;
  }
  return {
    judged,
    restore: () => replaced.restore(),
    take: async (commands) => {
      const run = await namedByCommands({ commands, task: '' }, '', reader);
      return place(withShadows(run.filter(mayBeRun), branches));
    },
  };
}

/**
 * Runs a task while the checks of the default branch are in place. Returns a sentence if they cannot be put there. The
 * checkout is as before when this ends.
 */
export async function withDefaultChecks<T>(
  root: string,
  planFolder: string,
  task: (checks: DefaultChecks) => Promise<T>,
): Promise<T | string> {
  const checks = await openDefaultChecks(root, planFolder);
  if (typeof checks === 'string') return checks;
  try {
    return await task(checks);
  } finally {
    await checks.restore();
  }
}

interface Branches {
  readonly theirs: ReadonlyMap<string, ListedFile>;
  readonly own: ReadonlyMap<string, ListedFile>;
}

/** Configuration of either branch, and what that of the default branch names. */
async function configurationOf(branches: Branches, reader: TreeReader): Promise<ReadonlySet<string>> {
  const { theirs, own } = branches;
  const named = (await namedByConfiguration('', reader)).filter((path) => !isNamedTest(path));
  const brought = [...own.keys()].filter(
    (path) =>
      configuresChecks(path) && !isInstalled(path) && (theirs.has(path) || isJudgedFolder(path, branches)),
  );
  const given = [...theirs.keys()].filter((path) => configuresChecks(path) && !isInstalled(path));
  return withShadows([...new Set([...given, ...brought, ...named])], branches);
}

/** The paths, and files of the branch alone that would be loaded in place of one of them. */
function withShadows(paths: readonly string[], { theirs, own }: Branches): ReadonlySet<string> {
  const isShadow = shadowsOf(paths);
  return new Set([...paths, ...[...own.keys()].filter((path) => !theirs.has(path) && isShadow(path))]);
}

/** True for a file in a folder that the default branch has too: what the branch alone brings there is not used. */
function isJudgedFolder(path: string, { theirs }: Branches): boolean {
  const folder = posix.dirname(path);
  if (folder === '.') return true;
  for (const other of theirs.keys()) if (other.startsWith(`${folder}/`)) return true;
  return false;
}

function isInstalled(path: string): boolean {
  return path.split('/').includes('node_modules');
}

/** A file in the `node_modules` of a package of the default branch, which does not have it. */
function broughtPackage({ theirs, own }: Branches): string | undefined {
  return [...own.values()].find(({ path, id }) => {
    const [, folder = '', rest] = /^(.*?)(?:^|\/)node_modules\/(.+)$/.exec(path) ?? [];
    return (
      rest !== undefined && theirs.has(posix.join(folder, 'package.json')) && theirs.get(path)?.id !== id
    );
  })?.path;
}

interface Checkout {
  readonly root: string;
  /** Files of the default branch by path. */
  readonly carried: ReadonlyMap<string, Buffer>;
  readonly replaced: ReplacedFiles;
}

async function placeManifests(
  branches: Branches,
  { root, carried, replaced }: Checkout,
): Promise<string | undefined> {
  for (const [path, { mode }] of branches.own) {
    if (!isManifest(path) || isInstalled(path) || !isJudgedFolder(path, branches)) continue;
    const content = await readPlainFile(join(root, path), MAX_FILE_BYTES);
    if ((mode !== '' && !PLAIN_MODES.has(mode)) || content === undefined)
      return `${path} is a link or has more than 1 MiB.`;
    const [theirs, own] = [carried.get(path)?.toString('utf8'), content.toString('utf8')];
    const exchanged = exchangedPackage(theirs, own);
    if (exchanged !== undefined) return `${path} takes ${exchanged}, and the default branch does not.`;
    const text = judgedManifest(theirs, own);
    const problem = text === own ? undefined : await replaced.put(path, Buffer.from(text), false);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function byPath(listed: Buffer): ReadonlyMap<string, ListedFile> {
  return new Map(parseTree(listed).map((file) => [file.path, file]));
}

/** Files of the checked out commit, and those that git does not track, such as what an installed package has left. */
async function filesOf(root: string): Promise<ReadonlyMap<string, ListedFile>> {
  const head = byPath(await git(['ls-tree', '-r', '-l', '-z', '--full-tree', 'HEAD'], { cwd: root }));
  const others = await git(['ls-files', '-z', '--others', '--', '.', ':(exclude,glob)**/node_modules/**'], {
    cwd: root,
  });
  const untracked = splitNul(others).map((path) => path.toString('utf8'));
  return new Map([
    ...untracked.map((path) => [path, { path, mode: '', id: '', bytes: 0 }] as const),
    ...head,
  ]);
}

async function readCarried(
  theirs: ReadonlyMap<string, ListedFile>,
  folder: string,
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const path of theirs.keys()) {
    const content = await readPlainFile(join(folder, path), MAX_FILE_BYTES);
    if (content !== undefined) contents.set(path, content);
  }
  return contents;
}

function readerOf(theirs: ReadonlyMap<string, ListedFile>, carried: ReadonlyMap<string, Buffer>): TreeReader {
  const files = [...theirs.values()];
  const byId = new Map(
    files.flatMap(({ path, id }) => (carried.has(path) ? [[id, carried.get(path)!] as const] : [])),
  );
  return { listFiles: () => Promise.resolve(files), readBlobs: () => Promise.resolve(byId) };
}
