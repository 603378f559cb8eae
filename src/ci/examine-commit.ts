import { splitNul } from '../platform/git/git.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { matcherOf } from '../workspace/globs.ts';
import { problemOfDeclarations } from './added-declarations.ts';
import { problemOfOrigins } from './added-origins.ts';
import { problemOfPlaces } from './found-by-place.ts';
import { problemOfPowers } from './new-powers.ts';
import { problemOfPackages } from './package-programs.ts';
import { isManifest, problemOfFiles, problemOfManifest, type PatchedFile } from './rules/patch-rules.ts';
import { problemOfAddedTexts } from './rules/added-texts.ts';
import { problemOfUnseen } from './rules/unseen.ts';

interface ChangedFile extends PatchedFile {
  /** Object ids; zeros: the file does not exist. */
  readonly ids: readonly [before: string, after: string];
}

const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Examines the files that a commit changes, by their contents in the repository rather than by the patch: where they
 * run, what a package.json changes, how many bytes they add, what of their texts a reader does not see or is not
 * meant for readers. Returns a sentence for each rule that does not let it be published; empty if it may.
 */
export async function examineCommit(
  desk: RemoteDesk,
  {
    head,
    commit,
    allow,
  }: { readonly head: string; readonly commit: string; readonly allow: readonly string[] },
): Promise<string[]> {
  const files = await changedFiles(desk, head, commit);
  const isAllowed = matcherOf(allow);
  const others = files.filter(({ path }) => !isAllowed(path));
  const guarded = others.filter(({ path }) => !isManifest(path));
  const fresh = guarded.filter(({ before }) => before === undefined);
  const problems = [
    problemOfFiles(files, allow),
    await problemOfManifests(desk, files, allow),
    await problemOfPackages(
      desk,
      head,
      guarded.map(({ path, before }) => ({ path, isNew: before === undefined })),
    ),
    await problemOfPowers(desk, { head, commit }, pathsOf(guarded)),
    await problemOfPlaces(desk, { head, commit }, pathsOf(fresh)),
    ...(await problemsOfTexts(desk, { head, commit }, others)),
  ];
  return problems.flatMap((problem) => (problem === undefined ? [] : [`The patch ${problem}.`]));
}

function pathsOf(files: readonly ChangedFile[]): string[] {
  return files.map(({ path }) => path);
}

async function problemOfManifests(
  desk: RemoteDesk,
  files: readonly ChangedFile[],
  allow: readonly string[],
): Promise<string | undefined> {
  const isAllowed = matcherOf(allow);
  for (const { path, ids, before, after } of files) {
    if (!isManifest(path) || isAllowed(path)) continue;
    if (Math.max(before ?? 0, after ?? 0) > MAX_MANIFEST_BYTES)
      return `changes ${JSON.stringify(path)}, which is too long`;
    const [old, fresh] = await Promise.all(ids.map((id) => readBlob(desk, id)));
    const problem = problemOfManifest(path, old, fresh);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The first problem of each file. */
async function problemsOfTexts(
  desk: RemoteDesk,
  { head, commit }: { readonly head: string; readonly commit: string },
  files: readonly ChangedFile[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, ids, before, after } of files) {
    if (after === undefined) continue;
    const [old, fresh] = await Promise.all([
      before === undefined ? undefined : readBlob(desk, ids[0]),
      readBlob(desk, ids[1]),
    ]);
    const text = { path, before: old, after: fresh! };
    const problem =
      problemOfUnseen(text) ??
      problemOfAddedTexts(text) ??
      (await problemOfDeclarations(desk, commit, text)) ??
      (await problemOfOrigins(desk, head, text));
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}

async function changedFiles(desk: RemoteDesk, head: string, commit: string): Promise<ChangedFile[]> {
  const listed = splitNul(
    await desk.git(['diff-tree', '-r', '-z', '--no-renames', `${head}^{tree}`, `${commit}^{tree}`]),
  );
  const files: { readonly path: string; readonly ids: readonly [string, string] }[] = [];
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [, , before = '', after = ''] = listed[at]!.toString('latin1').split(' ');
    files.push({ path: listed[at + 1]!.toString('utf8'), ids: [before, after] });
  }
  const sizes = await sizesOf(
    desk,
    files.flatMap(({ ids }) => ids),
  );
  return files.map(({ path, ids }) => ({ path, ids, before: sizes.get(ids[0]), after: sizes.get(ids[1]) }));
}

/** Bytes of objects by id; ids of files that do not exist are left out. */
async function sizesOf(desk: RemoteDesk, ids: readonly string[]): Promise<Map<string, number>> {
  const existing = [...new Set(ids)].filter((id) => !isAbsent(id));
  const listed = await desk.git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    input: existing.map((id) => `${id}\n`).join(''),
  });
  const lines = listed
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

async function readBlob(desk: RemoteDesk, id: string): Promise<string | undefined> {
  return isAbsent(id) ? undefined : (await desk.git(['cat-file', 'blob', id])).toString('utf8');
}

function isAbsent(id: string): boolean {
  return /^0+$/.test(id);
}
