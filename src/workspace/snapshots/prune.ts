import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeId } from '../../ports/tree.ts';
import { git, runGit, type GitRequest } from '../../platform/git/git.ts';

/** A tree that a loop, or a session of the gate, has pinned. */
export interface PinnedTree {
  readonly loopId: string;
  readonly tree: TreeId;
}

export interface PruneRequest {
  /** Absolute path of ralph's git directory. Nothing else may write to it until the promise resolves. */
  readonly gitDir: string;
  /** True for a tree that is needed. `isNewest`: of the same loop, none was pinned later. */
  readonly isNeeded: (pinned: PinnedTree, isNewest: boolean) => boolean;
  /** Looks at the objects only where a tree can be dropped. Default false. */
  readonly onlyIfDropped?: boolean;
  /** Removes nothing. Default false. */
  readonly dryRun?: boolean;
}

export interface Pruned {
  /** Number of trees that are pinned no more. */
  readonly trees: number;
  /** Loops, and sessions, that have lost trees. */
  readonly loopIds: readonly string[];
  readonly bytes: number;
}

export const NOTHING_PRUNED: Pruned = { trees: 0, loopIds: [], bytes: 0 };

/**
 * Removes the refs of trees that are not needed, and the objects that only they use. Objects of the trees that stay and of the
 * indexes are kept. Removes nothing if git cannot list these. Throws RalphError if git is not installed or runs out of time.
 */
export async function pruneSnapshots({ gitDir, isNeeded, ...how }: PruneRequest): Promise<Pruned> {
  const { onlyIfDropped = false, dryRun = false } = how;
  const own: GitRequest = { cwd: gitDir, gitDir };
  const refs = await listRefs(own);
  const newest = newestOf(refs, gitDir);
  const dropped = refs.filter(
    (ref) => ref.pinned !== undefined && !isNeeded(ref.pinned, newest.has(ref.name)),
  );
  if (onlyIfDropped && dropped.length === 0) return NOTHING_PRUNED;
  const kept = refs.filter((ref) => !dropped.includes(ref));
  const used = await usedObjects(own, kept);
  if (used === undefined) return NOTHING_PRUNED;
  const stored = [...looseObjects(join(gitDir, 'objects')), ...(await packs(own))];
  const unused = stored.filter(({ ids }) => ids.every((id) => !used.has(id)));
  if (!dryRun) {
    const commands = dropped.map(({ name }) => `delete ${name}\n`).join('');
    if (commands !== '') await git(['update-ref', '--stdin'], { ...own, input: commands });
    for (const { paths } of unused) for (const path of paths) rmSync(path, { force: true });
  }
  const loopIds = [...new Set(dropped.flatMap(({ pinned }) => pinned?.loopId ?? []))];
  return { trees: dropped.length, loopIds, bytes: unused.reduce((sum, { bytes }) => sum + bytes, 0) };
}

interface Ref {
  readonly name: string;
  readonly id: string;
  /** Undefined for a ref that no loop has written. */
  readonly pinned?: PinnedTree;
}

async function listRefs(own: GitRequest): Promise<Ref[]> {
  const lines = (await git(['for-each-ref', '--format=%(objectname) %(refname)'], own))
    .toString('utf8')
    .split('\n');
  return lines.flatMap((line) => {
    const [, id, name] = /^(\S+) (.+)$/.exec(line) ?? [];
    if (id === undefined || name === undefined) return [];
    const [, loopId, tree] = /^refs\/ralph\/(.+)\/([0-9a-f]{40,64})$/.exec(name) ?? [];
    return [{ name, id, ...(loopId !== undefined && { pinned: { loopId, tree: tree! } }) }];
  });
}

/** Names of the refs that were written last among those of their loop. */
function newestOf(refs: readonly Ref[], gitDir: string): ReadonlySet<string> {
  const byLoop = Map.groupBy(refs, ({ pinned }) => pinned?.loopId);
  return new Set(
    [...byLoop.values()].map((group) => group.reduce((a, b) => (writtenAt(b) > writtenAt(a) ? b : a)).name),
  );

  function writtenAt({ name }: Ref): number {
    return statSync(join(gitDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }
}

/** Ids of the objects of these refs, and of the files in the indexes; undefined if they cannot all be read. */
async function usedObjects(own: GitRequest, refs: readonly Ref[]): Promise<ReadonlySet<string> | undefined> {
  const used = new Set<string>();
  const add = (text: string, pattern: RegExp): void => {
    for (const [id] of text.matchAll(pattern)) used.add(id);
  };
  if (refs.length > 0) {
    const input = refs.map(({ id }) => `${id}\n`).join('');
    const listed = await runGit(['rev-list', '--objects', '--no-object-names', '--stdin'], { ...own, input });
    if (listed.exitCode !== 0) return undefined;
    add(listed.stdout.toString('latin1'), /^[0-9a-f]{40,64}$/gm);
  }
  for (const name of readdirSync(own.cwd).filter((file) => /^index(-[0-9a-f]+)?$/.test(file))) {
    const listed = await runGit(['ls-files', '--stage', '-z'], { ...own, indexFile: join(own.cwd, name) });
    if (listed.exitCode !== 0) return undefined;
    add(listed.stdout.toString('latin1'), /(?<=(?:^|\0)[0-7]{6} )[0-9a-f]{40,64}(?= )/g);
  }
  return used;
}

/** Files of the object store that hold the same objects and are removed together. */
interface StoredFiles {
  readonly paths: readonly string[];
  readonly ids: readonly string[];
  readonly bytes: number;
}

function looseObjects(objects: string): StoredFiles[] {
  const folders = namesIn(objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return folders.flatMap((folder) =>
    namesIn(join(objects, folder))
      .filter((name) => /^[0-9a-f]{38,62}$/.test(name))
      .flatMap((name) => describe([join(objects, folder, name)], [folder + name]) ?? []),
  );
}

/** Git writes a file of more than 512 MiB into a pack of its own. */
async function packs(own: GitRequest): Promise<StoredFiles[]> {
  const folder = join(own.cwd, 'objects', 'pack');
  const names = namesIn(folder);
  const found: StoredFiles[] = [];
  for (const index of names.filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name))) {
    const listed = await runGit(['show-index'], { ...own, input: readFileSync(join(folder, index)) });
    const ids = [...listed.stdout.toString('latin1').matchAll(/(?<=^\d+ )[0-9a-f]{40,64}/gm)].map(
      ([id]) => id,
    );
    const files = names.filter((name) => name.startsWith(index.slice(0, -'idx'.length)));
    const pack = describe(
      files.map((name) => join(folder, name)),
      ids,
    );
    if (listed.exitCode === 0 && pack !== undefined) found.push(pack);
  }
  return found;
}

function describe(paths: readonly string[], ids: readonly string[]): StoredFiles | undefined {
  const stats = paths.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  if (stats.length < paths.length) return undefined;
  return {
    paths,
    ids,
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
