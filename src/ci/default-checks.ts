import { join } from 'node:path';
import type { ChangedContent } from '../compose/evaluate-change.ts';
import type { CommandPlan } from '../ports/plan.ts';
import { namedByConfiguration } from '../workspace/protect/configuration.ts';
import { namedByCommands } from '../workspace/protect/judges.ts';
import { judgingPrograms } from '../workspace/protect/judging-programs.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { shadowsOf } from '../workspace/protect/shadows.ts';
import type { TreeReader } from '../workspace/snapshots/snapshots.ts';
import { byPath, filesOf, MAX_FILE_BYTES, readCarried, readerOf, textOf } from './branch-files.ts';
import { broughtPackage, isInstalled, isJudgedFolder, isOther } from './branch-paths.ts';
import { decidingFacts, isCode, type Branches } from './deciding-facts.ts';
import { DEFAULT_BRANCH_FOLDER, DEFAULT_BRANCH_LIST } from './default-branch.ts';
import { PLAIN_MODES } from './listed-tree.ts';
import { readPlainFile } from './plain-files.ts';
import { createReplacedFiles, type ReplacedFiles } from './replaced-files.ts';
import { decide, type Decision } from './rules/deciding-branch.ts';
import { exchangedPackage, judgedManifest } from './rules/judged-manifest.ts';
import { configuresChecks, mayBeRun } from './rules/judging-paths.ts';
import { isManifest } from './rules/patch-rules.ts';

/** The checks of the default branch, put in place of those of a checked out branch. */
export interface DefaultChecks {
  /**
   * Puts everything in place that these commands run or read, and removes programs that only the branch or the installation
   * brings and no test leads to. Of a package.json in the patch, scripts and settings stay the default branch's.
   */
  take(commands: readonly CommandPlan[], patch: PatchToJudge): Promise<JudgedPatch>;
  /** Puts the branch's own files back. */
  restore(): Promise<void>;
}

/** The files of a patch, and those that it may change in spite of the rules. */
export interface PatchToJudge {
  readonly files: readonly ChangedContent[];
  readonly isAllowed: (path: string) => boolean;
}

/** Nothing is changed. */
export const NO_PATCH: PatchToJudge = { files: [], isAllowed: () => false };

/** The patch as it is judged, or a sentence on why nothing is. */
export type JudgedPatch =
  | {
      readonly ok: true;
      readonly files: readonly ChangedContent[];
      /** Changed programs that no test or source leads to: the checks must pass without them too. */
      readonly unread: ReadonlySet<string>;
      /** Files of the branch or the installation in whose place the default branch's, or none, are judged. */
      readonly replaced: readonly string[];
      /** Sources of the branch or the installation that the default branch has otherwise, or not. */
      readonly doubted: readonly string[];
    }
  | { readonly ok: false; readonly reason: 'unusable_checks' | 'bad_patch'; readonly text: string };

/** Folders of ralph and git, and packages as Yarn installs them. */
const OF_TOOLS = /^\.(?:aiwg|git)\/|(?:^|\/)\.(?:yarn\/|pnp\.)/;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

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
  const reader = readerOf(branches, carried, (path) => readPlainFile(join(root, path), MAX_FILE_BYTES));
  const first =
    (await placeManifests(branches, { root, carried, replaced })) ??
    (await place(await configurationOf(branches, reader)));
  if (first !== undefined) {
    await replaced.restore();
    return first;
  }
  return {
    restore: () => replaced.restore(),
    take: async (commands, patch) => {
      const compared = await namedByCommands({ commands, task: '' }, '', reader);
      const programs = await judgingPrograms(commands, '', reader);
      const facts = decidingFacts(branches, programs, {
        textOf: (path) => textOf(join(root, path)),
        patch: patch.files,
      });
      const decisionOf = (path: string): Decision => (isSettled(path) ? 'own' : decide(path, facts));
      const guarded = patch.files.map(({ path }) => path).filter((path) => !patch.isAllowed(path));
      const refused = guarded.find((path) => decisionOf(path) === 'judge');
      if (refused !== undefined) return { ok: false, reason: 'bad_patch', text: refusal(refused) };
      const unread = new Set(guarded.filter((path) => decisionOf(path) === 'unread'));
      const known = [...programs.named, ...programs.loaded, ...programs.run];
      const taken = [...new Set([...branches.own.keys(), ...known])].filter(
        (path) => isOther(path, branches) && decisionOf(path) !== 'own',
      );
      const text = await place(withShadows([...compared.filter(mayBeRun), ...taken], branches));
      if (text !== undefined) return { ok: false, reason: 'unusable_checks', text };
      const files = patch.files.map((file) => ({
        ...file,
        content: file.content && judged(file.path, file.content),
      }));
      const doubted = [...branches.own.keys()].filter(
        (path) =>
          isCode(path) &&
          isOther(path, branches) &&
          !taken.includes(path) &&
          !isTest(path) &&
          !isInstalled(path) &&
          !isInstalledByYarn(path, branches) &&
          !patch.isAllowed(path) &&
          !patch.files.some((file) => file.path === path),
      );
      return { ok: true, files, unread, replaced: [...taken, ...unread], doubted };
    },
  };
}

/** Where Plug'n'Play of Yarn has its packages, as the installation wrote it: not what a branch has committed. */
function isInstalledByYarn(path: string, { own }: Branches): boolean {
  return OF_TOOLS.test(path) && own.get(path)?.tracking !== 'tracked';
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

function refusal(path: string): string {
  const shown = JSON.stringify(path);
  return `The patch changes ${shown}, which the checks of the default branch run or read; --allow ${shown} permits it.`;
}

/** True for files that other rules decide on: configuration, package.json, what is installed, and ralph's own. */
function isSettled(path: string): boolean {
  return configuresChecks(path) || isManifest(path) || isInstalled(path) || OF_TOOLS.test(path);
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
