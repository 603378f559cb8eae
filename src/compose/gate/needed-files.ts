import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { runGit, splitNul } from '../../platform/git/git.ts';
import type { Evaluation, GateSession } from '../../schema/generated.ts';
import { findCarried } from '../../workspace/carry.ts';
import { absentFiles, missingFiles } from '../carry-advice.ts';
import type { Project } from '../project.ts';

/** A file that git ignores and the checks read. */
export type NeededFile = NonNullable<GateSession['needed']>[number];

/** In place of a result: the base is red for want of these files, which the next try copies. */
export interface Needed {
  readonly needed: readonly NeededFile[];
}

/** True for the files, false for a result. */
export function isNeeded(result: object): result is Needed {
  return 'needed' in result;
}

/** A larger file is no source and no setting. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Files of a session: one that is found may need another one. */
const MOST_NEEDED = 25;

/**
 * Files that git ignores, that lie in the user's folder and that the failures of a base without them ask for. Those of the
 * session are left out, for they were copied.
 */
export async function findNeeded(
  { repository, plan }: Project,
  { needed: known = [], started_at: startedAt }: GateSession,
  baseline: Evaluation,
): Promise<readonly NeededFile[]> {
  if (baseline.passed) return [];
  const named = missingFiles({ repository, plan }, baseline).filter(
    (file) =>
      !known.some((it) => it.file === file) && (sizeOf(repository.root, file) ?? Infinity) <= MOST_BYTES,
  );
  const ignored = await findCarried(
    repository,
    named.map((file) => `/${file}`),
  );
  const since = Date.parse(startedAt);
  return named
    .filter((file) => ignored.includes(file))
    .map((file) => ({
      file,
      ...(!isWrittenSince(repository.root, file, since) && { hash: hashOfFile(repository.root, file) }),
    }));
}

/** Tries again with a session that knows the files which were needed. Resolves to its result, and to that session. */
export async function withNeeded<Result extends object>(
  session: GateSession,
  attempt: (session: GateSession) => Promise<Result | Needed>,
): Promise<{ readonly session: GateSession; readonly result: Result }> {
  let own = session;
  for (;;) {
    const result = await attempt(own);
    if (!isNeeded(result)) return { session: own, result };
    own = { ...own, needed: [...(own.needed ?? []), ...result.needed] };
  }
}

/** Whether further files may be looked for. */
export function mayNeedMore({ needed = [] }: GateSession): boolean {
  return needed.length < MOST_NEEDED;
}

/** Needed files whose content of the start is known, and is another one now. */
export function changedNeeded({ needed = [] }: GateSession, root: string): readonly string[] {
  return needed
    .filter(({ file, hash }) => hash !== undefined && hash !== hashOfFile(root, file))
    .map(({ file }) => file);
}

/** The result of the checks of a base, with the files that they read. */
interface Read {
  readonly root: string;
  /** Ignored files that are copied, relative to the root. */
  readonly carried: readonly string[];
  readonly baseline: Evaluation | undefined;
  /** Ignored files that the base asks for, and that are not there. */
  readonly gone: readonly string[];
}

/**
 * Files that git ignores, that are not in the user's folder, and that the failures of a base do not find: an agent may have
 * deleted them.
 */
export async function goneFiles(
  { repository, plan }: Project,
  baseline: Evaluation,
): Promise<readonly string[]> {
  const absent = baseline.passed ? [] : absentFiles({ repository, plan }, baseline);
  if (absent.length === 0) return [];
  const input = absent.map((file) => `${file}\0`).join('');
  const { exitCode, stdout } = await runGit(['check-ignore', '-z', '--stdin'], {
    cwd: repository.root,
    input,
  });
  return exitCode === 0 ? splitNul(stdout).map((path) => path.toString('utf8')) : [];
}

/** Copied files whose content of the start is not known, where the base is red with that of now. */
export function unknownFiles(
  { needed = [], started_at: startedAt }: GateSession,
  { root, carried, baseline }: Omit<Read, 'gone'>,
): readonly string[] {
  if (baseline?.passed !== false) return [];
  const known = new Set(needed.map(({ file }) => file));
  const since = Date.parse(startedAt);
  return [
    ...needed.filter(({ hash }) => hash === undefined).map(({ file }) => file),
    ...carried.filter((file) => !known.has(file) && isWrittenSince(root, file, since)),
  ];
}

/** A sentence on copied files that are not as they were at the start; none if the verdict rests on no such file. */
export function notesOnIgnored(session: GateSession, read: Read): string[] {
  const files = [...changedNeeded(session, read.root), ...unknownFiles(session, read)];
  if (files.length === 0) return describeGone(read.gone);
  const [was, has] = files.length === 1 ? ['was', 'it is'] : ['were', 'they are'];
  return [
    `${files.join(', ')} ${was} written since the start, and git ignores ${files.length === 1 ? 'it' : 'them'}: the checks read ${files.length === 1 ? 'it' : 'them'} as ${has} now.`,
    ...describeGone(read.gone),
  ];
}

function describeGone(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const [is, it] = files.length === 1 ? ['is', 'it was'] : ['are', 'they were'];
  return [
    `${files.join(', ')} ${is} not there, and git ignores ${files.length === 1 ? 'it' : 'them'}: whether ${it} there at the start, and the checks were green with ${files.length === 1 ? 'it' : 'them'}, is not stored.`,
  ];
}

/** The time of a change cannot be set. */
function isWrittenSince(root: string, file: string, since: number): boolean {
  return (statsOf(root, file)?.ctimeMs ?? Infinity) >= since;
}

function sizeOf(root: string, file: string): number | undefined {
  return statsOf(root, file)?.size;
}

function statsOf(root: string, file: string): Stats | undefined {
  return statSync(join(root, file), { throwIfNoEntry: false });
}

/** Empty if there is no such file. */
function hashOfFile(root: string, file: string): string {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  } catch {
    return '';
  }
}
