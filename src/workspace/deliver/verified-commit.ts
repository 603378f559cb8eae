import { join, posix } from 'node:path';
import { matcherOf } from '../globs.ts';
import { applyToIndex } from './apply-to-index.ts';
import { splitNul } from '../../platform/git/git.ts';
import { protectionRules } from '../protect/protected-paths.ts';
import { readingsOf } from './look-alikes.ts';
import { clashIn } from './path-clash.ts';
import { isOddOnWindows } from './path-spelling.ts';
import type { RemoteDesk } from '../../platform/git/remote.ts';

export interface VerifiedPatch {
  /** Unified diff with binary parts, as git writes it. */
  readonly patch: Buffer;
  /** Commit that it applies to; it has been fetched. */
  readonly head: string;
  /** Message of the commit. */
  readonly message: string;
  /** Globs of protected files that may change, as for `--allow`. Files that run in CI may never change. */
  readonly allow: readonly string[];
  /** Positions of changed files, in the order of git, that are left out. */
  readonly leftOut?: readonly number[];
  /** Author and committer; default: ralph. */
  readonly author?: CommitAuthor | undefined;
}

/** Name and address of a commit's author. */
export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
}

/** The new commit on top of the head, or a sentence on why there is none. */
export type CommitOutcome =
  | {
      readonly ok: true;
      readonly commit: string;
      readonly tree: string;
      /** Changed files in the order of git. */
      readonly files: readonly string[];
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** A larger patch is refused, because nobody would review it. */
export const MAX_PATCH_BYTES = 1024 * 1024;
const MAX_FILES = 100;
const EXECUTABLE = '100755';
const ABSENT = '000000';
/** Names that some systems read as other ones: without the dot, the blank or the invisible character. */
const UNUSUAL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\\uFFFD\u115F\u1160\u2800\u3164\uFFA0]|[. ](?:\/|$)/u;
const PLAIN_MODES: ReadonlySet<string> = new Set(['100644', '100755', '000000']);

/** Files that run with their own permissions or grant permissions: pipelines, actions, hooks, owners, submodules. Lower case. */
const NEVER = matcherOf([
  '/.github',
  '/.gitlab',
  '/.circleci',
  '/.buildkite',
  '/.husky',
  '/.githooks',
  '/.aiwg',
  '/.git',
  '.gitlab-ci.yml',
  'action.yml',
  'action.yaml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'jenkinsfile',
  'codeowners',
  '.gitmodules',
  '.gitattributes',
  '.gitconfig',
]);

const RALPH: CommitAuthor = { name: 'ralph', email: 'ralph@localhost' };

/**
 * Applies a patch to a commit in an index: no file is written, no link followed, no filter or hook run. The resulting tree
 * is examined, not the text of the patch: it may change a limited number of plain files, none of them protected.
 */
export async function commitPatch(desk: RemoteDesk, request: VerifiedPatch): Promise<CommitOutcome> {
  const { patch, head, message, allow, leftOut = [], author = RALPH } = request;
  if (patch.length === 0) return refuse('is empty');
  if (patch.length > MAX_PATCH_BYTES)
    return refuse(`has ${patch.length} bytes; at most ${MAX_PATCH_BYTES} are accepted`);
  const indexFile = join(desk.gitDir, 'index-patch');
  const failed = await applyToIndex(desk, { patch, head, indexFile });
  if (failed !== undefined) return refuse(`does not apply to ${head.slice(0, 10)}: ${failed}`);
  const whole = textOf(await desk.git(['write-tree'], { indexFile }));
  const patched = await changedEntries(desk, head, whole);
  const tree = leftOut.length === 0 ? whole : await treeWithout(desk, { head, tree: whole }, leftOut);
  const entries = tree === whole ? patched : await changedEntries(desk, head, tree);
  const problem = problemIn(entries, allow) ?? (await problemOfSpelling(desk, tree, entries));
  if (problem !== undefined) return refuse(problem);
  const commit = textOf(
    await desk.git([...settingsOf(author), 'commit-tree', tree, '-p', head, '-m', message]),
  );
  const isOut = ({ path }: Entry): boolean => entries.every((entry) => entry.path !== path);
  return { ok: true, commit, tree, files: pathsOf(entries), leftOut: pathsOf(patched.filter(isOut)) };
}

/** A tree with some of its changes taken back: those at these positions, in the order of git. */
export async function treeWithout(
  desk: RemoteDesk,
  { head, tree }: { readonly head: string; readonly tree: string },
  positions: readonly number[],
): Promise<string> {
  const indexFile = join(desk.gitDir, 'index-without');
  await desk.git(['read-tree', tree], { indexFile });
  const entries = await changedEntries(desk, head, tree);
  const records = entries
    .filter((_, at) => positions.includes(at))
    .map(({ path, before, id }) => `${before === ABSENT ? '0' : before} ${id}\t${path}\0`);
  await desk.git(['update-index', '-z', '--index-info'], { indexFile, input: records.join('') });
  return textOf(await desk.git(['write-tree'], { indexFile }));
}

function pathsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ path }) => path);
}

interface Entry {
  readonly path: string;
  /** Mode; `000000` if absent. */
  readonly before: string;
  readonly after: string;
  /** Git id before; zeros if absent. */
  readonly id: string;
}

async function changedEntries(desk: RemoteDesk, head: string, tree: string): Promise<Entry[]> {
  const listed = splitNul(await desk.git(['diff-tree', '-r', '-z', '--no-renames', `${head}^{tree}`, tree]));
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [before = '', after = '', id = ''] = listed[at]!.toString('latin1').slice(1).split(' ');
    entries.push({ before, after, id, path: listed[at + 1]!.toString('utf8') });
  }
  return entries;
}

function problemIn(entries: readonly Entry[], allow: readonly string[]): string | undefined {
  if (entries.length === 0) return 'changes nothing';
  if (entries.length > MAX_FILES) return `changes ${entries.length} files; at most ${MAX_FILES} are accepted`;
  const rules = protectionRules({ protect: [], allow, extra: [] });
  const isAllowed = matcherOf(allow);
  for (const { path, before, after } of entries) {
    const shown = JSON.stringify(path);
    if (!PLAIN_MODES.has(after) || !PLAIN_MODES.has(before))
      return `changes ${shown}, which is or becomes a link or a submodule`;
    const readings = readingsOf(path);
    if (readings.some(NEVER))
      return `changes ${shown}, which runs with its own permissions or grants permissions`;
    if (posix.normalize(path) !== path || UNUSUAL.test(path)) return `has the path ${shown}`;
    if (before !== EXECUTABLE && after === EXECUTABLE && !isAllowed(path))
      return `makes ${shown} executable; --allow ${shown} permits it`;
    const isNew = before === ABSENT;
    if (isNew && isOddOnWindows(path)) return `adds ${shown}, which Windows cannot have as a file`;
    if (isNew ? [path, ...readings].some((it) => rules.refusesNew(it)) : rules.existing(path) === 'whole')
      return `changes ${shown}, which is protected because the checks depend on it`;
  }
  return undefined;
}

async function problemOfSpelling(
  desk: RemoteDesk,
  tree: string,
  entries: readonly Entry[],
): Promise<string | undefined> {
  const added = entries.filter(({ before }) => before === ABSENT).map(({ path }) => path);
  if (added.length === 0) return undefined;
  const listed = splitNul(await desk.git(['ls-tree', '-r', '-z', '--name-only', tree]));
  const clash = clashIn(
    added,
    listed.map((path) => path.toString('utf8')),
  );
  if (clash === undefined) return undefined;
  const [path, other] = [clash.path, clash.other].map((it) => JSON.stringify(it));
  return `adds ${path}, which some systems or readers do not tell from ${other}`;
}

function settingsOf({ name, email }: CommitAuthor): string[] {
  return ['-c', `user.name=${name}`, '-c', `user.email=${email}`, '-c', 'commit.gpgSign=false'];
}

function refuse(problem: string): CommitOutcome {
  return { ok: false, problem: `The patch ${problem}.` };
}

function textOf(output: Buffer): string {
  return output.toString('latin1').trim();
}
