import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../../src/errors.ts';
import { appendLine } from '../../../src/platform/files/append-line.ts';
import { git, runGit } from '../../../src/platform/git/git.ts';
import { plural } from '../../../src/platform/text/plural.ts';
import { fixCommitsIn } from '../../fix-commits/fix-commits-in.ts';
import type { Installation } from '../ground.ts';
import { SIZE_CLASSES, sizeClassOf, type SizeClass } from '../size-class.ts';
import { renderInstance } from '../swe/instance.ts';
import { renderColumns } from '../statistics.ts';
import { collectCommit, type CollectSource } from './candidate.ts';

/** What to collect. */
export interface CollectRequest extends Installation {
  /** Path of a local clone. */
  readonly repository: string;
  /** `owner/name`; from the remote `origin` if absent. */
  readonly repo?: string;
  /** File to which the instances are appended. */
  readonly out: string;
  /** Largest number of instances. */
  readonly most: number;
  /** Largest number of source files of a fix. */
  readonly maxSources: number;
  /** Size classes to collect; all if absent. */
  readonly sizes?: readonly SizeClass[];
  readonly onCommit: (commit: CollectedCommit) => void;
}

/** One commit that was tried. */
export interface CollectedCommit {
  readonly fix: string;
  readonly subject: string;
  readonly size: SizeClass;
  /** Why it makes no instance; '' if it does. */
  readonly reason: string;
}

/** The report as it is written as JSON. */
export interface CollectReport {
  readonly benchmark: 'collect';
  readonly repo: string;
  readonly out: string;
  /** False if the run was stopped before it had all. */
  readonly complete: boolean;
  readonly commits: readonly CollectedCommit[];
}

/**
 * Makes instances of the fix commits of a clone, newest first, and appends each to a file at once. If the signal is
 * aborted, the report holds the commits finished until then. Throws a usage error for a folder that is no clone, and for
 * an output file that exists.
 */
export async function benchCollect(request: CollectRequest): Promise<CollectReport> {
  const { most, out, sizes, signal, onCommit, maxSources } = request;
  const source = await sourceOf(request);
  if (existsSync(out)) throw usageError(`--out ${out} exists already.`, 'Give a new file.');
  const commits: CollectedCommit[] = [];
  for (const commit of fixCommitsIn(source.clone, { sources: maxSources, lines: Infinity })) {
    const size = sizeClassOf(commit.lines);
    const found = commits.filter(({ reason }) => reason === '').length;
    if (signal.aborted || found === most) break;
    if (sizes !== undefined && !sizes.includes(size)) continue;
    const collected = await collectCommit(source, commit, request).catch(() => undefined);
    if (collected === undefined) break;
    const isInstance = typeof collected !== 'string';
    if (isInstance)
      appendLine(
        out,
        renderInstance(collected.instance, {
          created_at: collected.createdAt,
          fix_commit: collected.fix,
          changed_lines: collected.changedLines,
        }),
      );
    commits.push({
      fix: commit.sha,
      subject: commit.subject,
      size,
      reason: isInstance ? '' : collected,
    });
    onCommit(commits.at(-1)!);
  }
  return { benchmark: 'collect', repo: source.repo, out, complete: !signal.aborted, commits };
}

async function sourceOf({ repository, repo }: CollectRequest): Promise<CollectSource> {
  const clone = resolve(repository);
  const { exitCode } = existsSync(clone)
    ? await runGit(['rev-parse', '--git-dir'], { cwd: clone })
    : { exitCode: 1 };
  if (exitCode !== 0) throw usageError(`${repository} is not a clone of a git repository.`);
  const name = repo ?? (await originOf(clone));
  if (name === undefined || !/^[\w][\w.-]*\/[\w][\w.-]*$/.test(name))
    throw usageError(
      repo === undefined
        ? `${repository} has no remote origin at a host.`
        : `--repo ${repo}: it is no owner/name.`,
      'Name the repository: --repo owner/name',
    );
  return { clone, repo: name };
}

async function originOf(clone: string): Promise<string | undefined> {
  const url = (await git(['config', '--default', '', '--get', 'remote.origin.url'], { cwd: clone }))
    .toString('utf8')
    .trim();
  return /[:/]([\w][\w.-]*\/[\w][\w.-]*?)(\.git)?\/?$/.exec(url)?.[1];
}

/** One line for a commit. */
export function renderCommit({ fix, subject, size, reason }: CollectedCommit): string {
  return `${fix.slice(0, 10)} ${size.padEnd(6)} ${reason === '' ? 'instance' : reason}: ${subject}`
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}

/** A table by size class. */
export function renderReport({ repo, out, commits, complete }: CollectReport): string[] {
  const found = commits.filter(({ reason }) => reason === '');
  const rows = SIZE_CLASSES.map((size) => [
    size,
    String(commits.filter((commit) => commit.size === size).length),
    String(found.filter((commit) => commit.size === size).length),
  ]);
  return [
    `${plural(found.length, 'instance')} of ${repo} in ${out}${complete ? '' : '; stopped early'}`,
    ...renderColumns([
      ['size class', 'commits tried', 'instances'],
      ...rows,
      ['total', String(commits.length), String(found.length)],
    ]),
  ];
}
