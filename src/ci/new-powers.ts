import { posix } from 'node:path';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { foldPath } from '../workspace/deliver/path-spelling.ts';
import { isInCheckFolder } from '../workspace/protect/judging-paths.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import type { TreeFile } from '../workspace/snapshots/snapshots.ts';
import { readerOf } from './commit-reader.ts';
import { isSettingsProgram } from './rules/package-files.ts';
import { POWER_TEXTS, powersOf } from './rules/powers.ts';
import { importing, reachesOf } from './rules/reaches.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
/** Folders of what a package does not consist of. */
const BESIDE = /(?:^|\/)(?:examples?|docs?|site|website|demos?|bench(?:marks?)?|fixtures?|node_modules)\//;

/**
 * Why one of some changed sources is not published, as the end of "The patch …": it can do what no source of its package
 * could, such as use the network. Undefined if none is such a file. Tests may do what they like.
 */
export async function problemOfPowers(
  desk: RemoteDesk,
  commits: { readonly head: string; readonly commit: string },
  paths: readonly string[],
): Promise<string | undefined> {
  const sources = paths.filter(isExamined);
  if (sources.length === 0) return undefined;
  const [before, after] = [readerOf(desk, commits.head), readerOf(desk, commits.commit)];
  const [old, fresh] = await Promise.all(
    [before, after].map(async (reader) => new Map((await reader.listFiles('')).map((it) => [it.path, it]))),
  );
  const gained = await Promise.all(
    sources.map(async (path) => {
      const [was, is] = await Promise.all([
        powersIn([old!.get(path)], before),
        powersIn([fresh!.get(path)], after),
      ]);
      return { path, powers: [...is].filter((power) => !was.has(power)) };
    }),
  );
  const suspects = gained.filter(({ powers }) => powers.length > 0);
  const given = suspects.length === 0 ? new Set<string>() : await importsGiven([...old!.values()], before);
  for (const { path, powers } of suspects) {
    const known = await powersIn(packageOf(path, [...old!.values()]), before);
    const power = powers.find((it) => !known.has(it) && !given.has(it));
    if (power === undefined) continue;
    const shown = JSON.stringify(path);
    return `changes ${shown} so that it ${power}, which no source of its package does; --allow ${shown} permits it`;
  }
  return undefined;
}

type Reader = ReturnType<typeof readerOf>;

async function powersIn(
  files: readonly (TreeFile | undefined)[],
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const texts = await textsOf(files, reader);
  return new Set(
    texts.flatMap(({ path, text }) => [
      ...[...powersOf(text)].map((power) => POWER_TEXTS[power]),
      ...reachesOf(path, text),
    ]),
  );
}

async function textsOf(
  files: readonly (TreeFile | undefined)[],
  reader: Reader,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const named = files.flatMap((file) => (file?.id === undefined ? [] : [{ path: file.path, id: file.id }]));
  const texts = named.length === 0 ? undefined : await reader.readBlobs(named.map(({ id }) => id));
  return named.map(({ path, id }) => ({ path, text: texts?.get(id)?.toString('utf8') ?? '' }));
}

/** The texts for imports of packages that people have given the repository: its own ones, and dependencies. */
async function importsGiven(files: readonly TreeFile[], reader: Reader): Promise<ReadonlySet<string>> {
  const manifests = files.filter(({ path }) => posix.basename(path) === 'package.json' && !BESIDE.test(path));
  const names = (await textsOf(manifests, reader)).flatMap(({ text }) => packagesIn(text));
  return new Set(names.map(importing));
}

function packagesIn(manifest: string): string[] {
  try {
    const fields = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
    const lists = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'];
    return [fields.name, ...lists.flatMap((key) => Object.keys(fields[key] ?? {}))].filter(
      (name): name is string => typeof name === 'string',
    );
  } catch {
    return [];
  }
}

/** The sources of the package that a path belongs to, without those of packages inside it. */
function packageOf(path: string, files: readonly TreeFile[]): readonly TreeFile[] {
  const folders = files.filter((it) => posix.basename(it.path) === 'package.json');
  const folderOf = (own: string): string | undefined =>
    folders
      .map((it) => posix.dirname(it.path))
      .filter((folder) => folder === '.' || own.startsWith(`${folder}/`))
      .toSorted((a, b) => b.length - a.length)[0];
  const folder = folderOf(path);
  return files.filter((it) => isProductSource(it.path) && folderOf(it.path) === folder);
}

function isProductSource(path: string): boolean {
  return (
    isExamined(path) && !isInCheckFolder(path) && !BESIDE.test(path) && !isSettingsProgram(foldPath(path))
  );
}

function isExamined(path: string): boolean {
  return SOURCE.test(path) && !DECLARATION.test(path) && !isTest(path) && !isNamedTest(path);
}
