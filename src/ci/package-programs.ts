import { posix } from 'node:path';
import type { CommandPlan } from '../ports/plan.ts';
import type { RemoteDesk } from '../platform/git/remote.ts';
import { foldPath } from '../workspace/deliver/path-spelling.ts';
import { productOf } from '../workspace/protect/imported-files.ts';
import { readManifests } from '../workspace/protect/scripts-and-entries.ts';
import { judgingPrograms } from '../workspace/protect/judging-programs.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { readerOf } from './commit-reader.ts';
import { bundledSources, builtSources } from './package-sources.ts';
import { isSettingsProgram, isUnusualInPackage, runsOnItsOwn } from './rules/package-files.ts';

/** Endings of sources, which name what the product reads. */
const SOURCES = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'py', 'rb', 'go', 'rs'];

/**
 * Why one of some changed files is not published, as the end of "The patch …": a script that a package manager runs by
 * itself, or one that builds, starts it, or it lies where tools look for their settings. Undefined if none is such a file.
 */
export async function problemOfPackages(
  desk: RemoteDesk,
  head: string,
  changed: readonly { readonly path: string; readonly isNew: boolean }[],
): Promise<string | undefined> {
  if (changed.length === 0) return undefined;
  const reader = readerOf(desk, head);
  const files = new Map((await reader.listFiles(head)).map((file) => [file.path, file]));
  const manifests = await readManifests(files, reader);
  const folders = new Set([...manifests.keys()].map(foldPath));
  const entries = [...manifests].flatMap(([folder, { entries: own }]) =>
    own.map((it) => posix.join(folder, it)),
  );
  for (const { path, isNew } of changed) {
    const shown = JSON.stringify(path);
    if (!isUnusualInPackage(foldPath(path), folders) || entries.includes(path)) continue;
    if (!isNew && !isSettingsProgram(foldPath(path)) && (await isNamed(desk, head, path))) continue;
    return `changes ${shown}, which lies where tools look for their settings; --allow ${shown} permits it`;
  }
  const commands = [...manifests].flatMap(([cwd, { scripts }]) =>
    Object.entries(scripts).flatMap(([name, command]): CommandPlan[] =>
      runsOnItsOwn(name) && typeof command === 'string' ? [{ command, cwd }] : [],
    ),
  );
  const settings = [...files.keys()].filter(
    (path) => isSettingsProgram(foldPath(path)) && manifests.has(posix.dirname(path)),
  );
  const started = [...commands, ...settings.map((path) => ({ command: `node ${path}`, cwd: '.' }))];
  if (started.length === 0) return undefined;
  const programs = await judgingPrograms(started, head, reader);
  const suspects = changed.filter(
    ({ path, isNew }) =>
      programs.named.has(path) ||
      programs.run.has(path) ||
      (isNew && isProgram(path) && programs.namesAbsent(path) === 'path'),
  );
  if (suspects.length === 0) return undefined;
  const tests = [...files.keys()].filter((path) => isTest(path) || isNamedTest(path));
  const sources = [...builtSources(manifests, files), ...(await bundledSources(settings, files, reader))];
  const roots = [...entries, ...tests, ...sources.filter((path) => !programs.named.has(path))];
  const product = await productOf(new Set(roots), files, reader);
  const found = suspects.find(({ path }) => !product.has(path))?.path;
  const shown = JSON.stringify(found);
  return found === undefined
    ? undefined
    : `changes ${shown}, which a script that installs, builds or releases runs; --allow ${shown} permits it`;
}

/** True for JavaScript, TypeScript and shell scripts. */
function isProgram(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|sh)$/.test(path) && !path.endsWith('.d.ts');
}

/** True if a source of the commit names a file. */
async function isNamed(desk: RemoteDesk, head: string, path: string): Promise<boolean> {
  const name = posix.basename(path);
  const stem = name.replace(/\.json$/, '');
  const names = stem === name ? [name] : [name, `/${stem}'`, `/${stem}"`, `/${stem}\``];
  const globs = SOURCES.map((ending) => `:(glob)**/*.${ending}`);
  const found = await desk.run([
    ...['grep', '--quiet', '--fixed-strings'],
    ...names.flatMap((text) => ['-e', text]),
    ...[head, '--', ...globs],
  ]);
  return found.exitCode === 0;
}
