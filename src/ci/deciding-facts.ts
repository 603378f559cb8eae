import { posix } from 'node:path';
import type { ChangedContent } from '../compose/evaluate-change.ts';
import type { JudgingPrograms } from '../workspace/protect/judging-programs.ts';
import { reachedFrom } from '../workspace/protect/judging-programs.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import type { ListedFile } from './listed-tree.ts';
import type { DecidingFacts } from './rules/deciding-branch.ts';
import { isManifest } from './rules/patch-rules.ts';

/** A file of the checked out branch, or one that git does not track there. */
export interface OwnFile extends ListedFile {
  readonly tracking: 'tracked' | 'untracked' | 'ignored';
}

export interface Branches {
  readonly theirs: ReadonlyMap<string, ListedFile>;
  readonly own: ReadonlyMap<string, OwnFile>;
}

const CODE = /\.[cm]?[jt]sx?$/;

/** True for JavaScript and TypeScript. */
export function isCode(path: string): boolean {
  return CODE.test(path);
}

/** Collects what decides whose version of a file is judged. `textOf` gives texts of the branch's files, when they are needed. */
export function decidingFacts(
  { theirs, own }: Branches,
  programs: JudgingPrograms,
  { textOf, patch }: { readonly textOf: (path: string) => string; readonly patch: readonly ChangedContent[] },
): DecidingFacts {
  const patched = new Map(patch.map(({ path, content }) => [path, content?.toString('utf8') ?? '']));
  const executable = new Set(patch.flatMap(({ path, isExecutable }) => (isExecutable ? [path] : [])));
  const ownText = (path: string): string => (own.has(path) ? textOf(path) : '');
  const newText = (path: string): string => patched.get(path) ?? ownText(path);
  const files = new Map<string, ListedFile>([
    ...own,
    ...patch.map(({ path }) => [path, { path, mode: '', id: '', bytes: 0 }] as const),
  ]);
  const tests = [...own.keys()].filter(
    (path) =>
      isNamedTest(path) ||
      (isCode(path) &&
        isTest(path) &&
        ![programs.named, programs.loaded, programs.run].some((judges) => judges.has(path)) &&
        programs.namesAbsent(path) !== 'path'),
  );
  const tested = once(() => reachedFrom(tests, own, ownText));
  const read = once(() => reachedFrom([...tests, ...entriesOf(own, ownText)], files, newText));
  const repaired = once(() => reachedFrom([...patched.keys()], files, newText));
  return {
    programs,
    isOnDefault: (path) => theirs.has(path),
    isInNewPackage: (path) => isInNewPackage(path, { theirs, own }),
    tracking: (path) => own.get(path)?.tracking ?? 'tracked',
    isProgram: (path) =>
      newText(path).startsWith('#!') || own.get(path)?.mode === '100755' || executable.has(path),
    isTested: (path) => tested().files.has(path),
    isRead: (path) => read().files.has(path) || read().names(path),
    isRepaired: (path) => repaired().files.has(path),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Files that the packages name as theirs, such as `main` and `bin`. */
function entriesOf(own: ReadonlyMap<string, OwnFile>, text: (path: string) => string): string[] {
  return [...own.keys()]
    .filter(isManifest)
    .flatMap((path) =>
      [...text(path).matchAll(/"((?:\.\/)?[\w@./-]+\.[cm]?[jt]sx?)"/g)]
        .map(([, name]) => posix.join(posix.dirname(path), name!))
        .filter((name) => own.has(name)),
    );
}

/** True below a folder with a package.json that the default branch has nothing in. */
function isInNewPackage(path: string, { theirs, own }: Branches): boolean {
  const folder = posix.dirname(path);
  if (folder === '.') return false;
  const isNew =
    own.get(`${folder}/package.json`)?.tracking === 'tracked' &&
    ![...theirs.keys()].some((other) => other.startsWith(`${folder}/`));
  return isNew || isInNewPackage(folder, { theirs, own });
}
