import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from '../../ports.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Tampering } from '../../schema/generated.ts';
import type { GuardOptions } from './guard-options.ts';
import { changedDependencies, type KnownFiles } from './dependencies.ts';
import { isTest, type ProtectionRules } from './protected-paths.ts';
import { SYMBOLIC_LINK, type EntryChange } from '../snapshots/tree-changes.ts';
import { bringsWriting } from './writing-code.ts';

/** True if the workspace is a copy. In the user's own tree, the actor may install packages. */
export function isCopy(options: GuardOptions): options is GuardOptions & { readonly repository: string } {
  const { workspace, repository } = options;
  return workspace.carried !== undefined && repository !== undefined && repository !== workspace.root;
}

/**
 * The audit of a guard: finds protected files that changed while the checks ran, and installed packages that changed since
 * the checks of the untouched tree. Sources count as well where the change brings code that can write them, and in the
 * untouched tree, where they tell which sources its own checks write. `installed` returns the user's `node_modules` folders.
 */
export function createAudit(
  options: GuardOptions,
  rulesNow: () => Promise<ProtectionRules>,
  installed: () => Promise<readonly string[]>,
): NonNullable<Guard['audit']> {
  const { snapshots, workspace, checks = [] } = options;
  let watchedSince = options.watchedSince ?? Date.now();
  const known: KnownFiles | undefined = options.isConfined === true ? new Map() : undefined;
  const changedPackages = async (tree: TreeId): Promise<Tampering[]> => {
    if (!isCopy(options)) return [];
    const since = watchedSince;
    if (tree === workspace.base && options.watchedSince === undefined) watchedSince = Date.now();
    const { repository } = options;
    return changedDependencies({ repository, folders: await installed(), sinceMs: since, known });
  };
  return async (tree, since) => {
    const rules = await rulesNow();
    const files =
      since === undefined || !isCopy(options)
        ? []
        : (await snapshots.listFiles(tree)).map(({ path }) => path);
    const changed = workspace.checkpoint().then((now) => snapshots.entryChanges(tree, now));
    // It is awaited below.
    changed.catch(() => {});
    const sinceBase = await snapshots.entryChanges(workspace.base, tree);
    const writers = await writersIn(sinceBase, snapshots);
    const watchesSources = sinceBase.length === 0 || writers.length > 0;
    const added = sinceBase.filter(({ before }) => !before).map(({ path }) => path.toString('utf8'));
    // A test may write data beside itself, and its own run may have left that in the tree.
    const newData = new Set(added.filter((path) => !isSource(path)));
    const protection = (path: string) => (newData.has(path) ? 'free' : rules.existing(path));
    const isJudged = (path: string): boolean => protection(path) === 'whole';
    const isOwn = (path: string): boolean => isSource(path) && !rules.isAllowed(path) && !BUILT.test(path);
    // While git looks at every file, too.
    const rewritten = files.filter(
      (path) =>
        (isJudged(path) || (watchesSources && isOwn(path))) && isTouched(join(workspace.root, path), since!),
    );
    const written = await changed;
    const isWatched = (path: string): boolean =>
      ['whole', 'tests'].includes(protection(path)) || (watchesSources && isOwn(path));
    const able = describeWriters(writers);
    const differ = written.flatMap((change) => changedByChecks(change, isWatched, able));
    const isKnown = new Set(differ.map(({ file }) => file));
    const touched = rewritten.filter((path) => !isKnown.has(path));
    return {
      isSame: written.length === 0,
      tampering: [...differ, ...touched.map((path) => putBack(path, able)), ...(await changedPackages(tree))],
      written: written.filter(({ before }) => !before).map(({ path }) => path.toString('utf8')),
      added,
      sources: sinceBase
        .filter(({ after }) => isFile(after))
        .map(({ path }) => path.toString('utf8'))
        .filter((path) => isSource(path) && !isTest(path) && !rules.isAllowed(path)),
      lost: sinceBase
        .filter(({ before, after }) => isFile(before) && !isFile(after))
        .map(({ path }) => path.toString('utf8'))
        .filter((path) => isSource(path) && !isTest(path) && !rules.isAllowed(path)),
      links: sinceBase
        .filter(({ after }) => after?.mode === SYMBOLIC_LINK)
        .map(({ path }) => path.toString('utf8'))
        .filter((path) => !rules.isAllowed(path)),
      unstartable: sinceBase
        .filter(
          ({ before, after }) => before?.mode === EXECUTABLE && isFile(after) && after?.mode !== EXECUTABLE,
        )
        .map(({ path }) => path.toString('utf8'))
        .filter((path) => !isTest(path) && !rules.isAllowed(path)),
      data: sinceBase
        .filter(({ after }) => isFile(after))
        .map(({ path, before }) => ({ path: path.toString('utf8'), isNew: !before }))
        .filter(({ path, isNew }) => !isSource(path) && (isNew || rules.existing(path) === 'free'))
        .flatMap(({ path }) => (rules.isAllowed(path) ? [] : [path])),
      async baseText(file) {
        const id = sinceBase.find(({ path }) => path.equals(Buffer.from(file)))?.before?.id;
        return id === undefined ? undefined : (await snapshots.readBlobs([id])).get(id)?.toString('utf8');
      },
      isJudge: isJudged,
      async judges() {
        const files = (await snapshots.listFiles(tree)).map(({ path }) => path);
        return files.filter((path) => isSource(path) && isJudged(path));
      },
      isReconfigured(name) {
        const check = checks.find((it) => it.name === name);
        // A check without a configuration file is configured in package.json.
        return check !== undefined && rules.isAllowed(check.config ?? 'package.json');
      },
    };
  };
}

/** Folders for what a build writes: where it is committed, the tests of a changed source write it anew. */
const BUILT = /(?:^|\/)(?:dist|build|out|esm|cjs|umd|types|generated|__generated__|gen|coverage)\//;

/** The mode of a program in a tree. */
const EXECUTABLE = '100755';

/** The file system's clock may be some milliseconds late. */
const CLOCK_MS = 10;

/** True if a file was written, replaced or renamed after this time: its time of change cannot be set. */
function isTouched(path: string, since: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.ctimeMs > since + CLOCK_MS;
}

function putBack(path: string, able: string): Tampering {
  const file = path.slice(0, 4096);
  const detail = `${file.slice(0, 1000)} was changed while the checks ran and put back, so their results are not those of the tree.${able}`;
  return { kind: 'changed_while_checked', file, detail };
}

/** JavaScript and TypeScript, without declarations. */
function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** Changed files that bring code that can write files: builds, which write what is committed, need none of it. */
async function writersIn(
  changes: readonly EntryChange[],
  snapshots: GuardOptions['snapshots'],
): Promise<string[]> {
  const code = changes.filter(
    ({ path, after }) => after && after.mode !== SYMBOLIC_LINK && isSource(path.toString('utf8')),
  );
  const ids = code.flatMap(({ before, after }) => [before, after].flatMap((entry) => entry?.id ?? []));
  const contents = await snapshots.readBlobs(ids);
  const textOf = (id: string | undefined): string =>
    id === undefined ? '' : (contents.get(id)?.toString('utf8') ?? '');
  return code
    .filter(({ before, after }) => bringsWriting(textOf(before?.id), textOf(after!.id)))
    .map(({ path }) => path.toString('utf8'));
}

/** A sentence on the changed files that can write files, after a space; empty if there is none. */
function describeWriters([first, ...others]: readonly string[]): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return ` The change lets ${first.slice(0, 200)}${more} write files.`;
}

/** Tampering if the change is to a file of the tree that is watched. */
function changedByChecks(
  { path, before, after }: EntryChange,
  isWatched: (path: string) => boolean,
  able: string,
): Tampering[] {
  const file = path.toString('utf8').slice(0, 4096);
  if (before === undefined || !isWatched(file)) return [];
  const what = after === undefined ? 'was deleted' : 'was changed';
  const detail = `${file.slice(0, 1000)} ${what} while the checks ran, so their results are not those of the tree.${able}`;
  return [{ kind: 'changed_while_checked', file, detail }];
}

/** True for an entry that is there and no link. */
function isFile(entry: EntryChange['after']): boolean {
  return entry !== undefined && entry.mode !== SYMBOLIC_LINK;
}
