import { posix } from 'node:path';
import { dependencyFolders } from '../dependencies/plan.ts';
import type { TreeFile } from '../snapshots/snapshots.ts';
import { namedByConfiguration } from './configuration.ts';
import type { GuardOptions } from './guard-options.ts';
import { mayNotBeAdded, namedByCommands } from './judges.ts';
import { productInTestFolders } from './product-files.ts';
import { neededByTests } from './test-needs.ts';

/** What the guard knows of the base. */
export interface BaseFacts {
  /** Files that the configuration or the tests name, and those that the judging commands run. */
  readonly named: readonly string[];
  /** Files that the judging commands would run or load if they were added. */
  readonly refused: readonly string[];
  /** Files of the product in folders that are named like those of tests. */
  readonly product: readonly string[];
  /** Every folder of the base. */
  readonly folders: ReadonlySet<string>;
  /** The user's `node_modules` folders. */
  readonly installed: readonly string[];
}

/** Reads what the guard must know of the base. */
export async function readBase({
  snapshots,
  workspace,
  repository,
  judges,
}: GuardOptions): Promise<BaseFacts> {
  const { base } = workspace;
  const files = await snapshots.listFiles(base);
  const paths = files.map(({ path }) => path);
  const run = judges === undefined ? [] : await namedByCommands(judges, base, snapshots);
  return {
    named: [
      ...(await namedByConfiguration(base, snapshots)),
      ...run,
      ...(await neededByTests(base, snapshots, run)).filter((path) => judges?.task.includes(path) !== true),
    ],
    refused: judges === undefined ? [] : await mayNotBeAdded(judges, base, snapshots),
    product: await productInTestFolders(base, snapshots),
    folders: foldersOf(files),
    installed: repository === undefined ? [] : dependencyFolders(repository, paths),
  };
}

/** Every folder of the base; a new package.json in one of them would apply to its files. */
export function foldersOf(files: readonly TreeFile[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) folders.add(at);
  }
  return folders;
}
