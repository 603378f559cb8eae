import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CONFIG_FILE_NAMES } from '../../config/config-file.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Config, GateSession } from '../../schema/generated.ts';
import { matcherOf } from '../../workspace/globs.ts';
import { productOf } from '../../workspace/protect/imported-files.ts';
import type { TreeReader } from '../../workspace/snapshots/snapshots.ts';

/** How somebody changes settings who means to. */
const OTHERWISE = {
  session: 'Who means to change them starts the gate again afterwards: ralph gate start --again.',
  git: 'Who means to change them commits or pushes them with --no-verify.',
};

interface Judged {
  readonly session: GateSession;
  readonly tree: TreeId;
  readonly snapshots: TreeReader;
  /** Where the files of now lie, if the tree is theirs: git may ignore a configuration. */
  readonly root: string | undefined;
}

/**
 * Refuses files whose settings of ralph are not those of the start: they could permit what the gate is there to hold. Those that
 * the user allowed at the start may change. Throws RalphError.
 */
export async function requireSettingsOfStart(judged: Judged): Promise<void> {
  const isAllowed = matcherOf((judged.session.config as Config).allow ?? []);
  const changed = (await changedSettings(judged)).filter((path) => !isAllowed(path));
  if (changed.length === 0) return;
  throw new RalphError(`The settings of ralph in ${changed.join(' and ')} are not those of the start.`, {
    code: 'config_changed',
    exitCode: ExitCode.usage,
    hint: `Put them back as they were: they decide what is judged. ${judged.root === undefined ? OTHERWISE.git : OTHERWISE.session}`,
  });
}

async function changedSettings({ session, tree, snapshots, root }: Judged): Promise<string[]> {
  const [start, files] = await Promise.all([session.base_tree, tree].map((id) => snapshots.listFiles(id)));
  const [then, now] = [start, files].map((all) => new Map(all!.map((file) => [file.path, file.id])));
  const named = configPaths(session.cwd);
  const modules = named.filter((path) => then!.has(path) && !path.endsWith('.json'));
  const byPath = new Map(start!.map((file) => [file.path, file]));
  // A configuration that is a program takes its values from what it imports, too.
  const imported = modules.length === 0 ? [] : await productOf(new Set(modules), byPath, snapshots);
  const paths = [...new Set([...named, ...imported])];
  const differ = paths.filter((path) => then!.get(path) !== now!.get(path));
  const ids = differ.flatMap((path) => [then!.get(path), now!.get(path)].filter((id) => id !== undefined));
  const contents = await snapshots.readBlobs(ids);
  const settingsOf = (path: string, id: string | undefined): string | undefined =>
    id === undefined ? undefined : settingsIn(path, contents.get(id)?.toString('utf8') ?? '');
  const changed = differ.filter(
    (path) => settingsOf(path, then!.get(path)) !== settingsOf(path, now!.get(path)),
  );
  const startedMs = Date.parse(session.started_at);
  const unseen = paths.filter(
    (path) =>
      root !== undefined && !then!.has(path) && !now!.has(path) && isSince(join(root, path), startedMs),
  );
  return [...changed, ...unseen];
}

/** The files that may hold settings for a folder, relative to the root. */
function configPaths(folder: string): string[] {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  const folders = [...parts.keys(), parts.length].map((length) => parts.slice(0, length).join('/'));
  return folders.flatMap((it) => [...CONFIG_FILE_NAMES, 'package.json'].map((name) => posix.join(it, name)));
}

/** The settings of ralph in the text of a file; undefined if it has none. */
function settingsIn(path: string, text: string): string | undefined {
  if (posix.basename(path) !== 'package.json') return text;
  try {
    return JSON.stringify((JSON.parse(text) as { ralph?: unknown } | null)?.ralph);
  } catch {
    // A broken package.json is told by whoever reads its scripts.
    return undefined;
  }
}

/** Whether a file that git ignores was written since: its time of change cannot be set. */
function isSince(path: string, startedMs: number): boolean {
  const ctimeMs = lstatSync(path, { throwIfNoEntry: false })?.ctimeMs;
  return ctimeMs !== undefined && ctimeMs > startedMs;
}
