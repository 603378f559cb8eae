import { lstatSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gitOutput } from '../../platform/git/git-output.ts';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';
import { manifestOf, NEVER_PACKED, packedBy, textsIn } from './package-imports.ts';
import { publishedFolder } from './published-folder.ts';

/** Changed sources, with the other changed files. */
export interface ChangedFiles extends ChangedSources {
  /** Sources of the base that are deleted or are a link now. */
  readonly lost: readonly string[];
  /** Links that are new or lead elsewhere. */
  readonly links: readonly string[];
  /** Programs whose executable bit is gone. */
  readonly unstartable: readonly string[];
  /** Changed and new files without code. */
  readonly data: readonly string[];
}

const IGNORE_FILE = /(?:^|\/)\.(?:git|npm)ignore$/;
/** Endings of files that a user of a package can import by their path. */
const IMPORTABLE = /\.(?:[cm]?js|json)$/;

/**
 * A sentence on a changed source that users of the package had in the base, and do not get any more in the form that the
 * tests had: a link (of every repository, one to what is no file of it), a file that a new ignore file leaves out, a program without its first line or its executable bit, a deleted module. Undefined
 * if there is none.
 */
export async function findLostFile({
  request: { root },
  sources,
  lost,
  links,
  unstartable,
  data,
  baseText,
}: ChangedFiles): Promise<string | undefined> {
  const ignoring = data.filter((path) => IGNORE_FILE.test(path));
  for (const link of links) {
    const problem = await outerLink(link, root);
    if (problem !== undefined) return `${problem} --allow ${link} permits it.`;
  }
  for (const source of lost) {
    const isLink = lstatSync(join(root, source), { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const problem = isLink ? newLink(source, root) : lostModule(source, root);
    if (problem !== undefined) return `${problem} --allow ${source} permits it.`;
  }
  const [program] = unstartable.filter((path) => textOf(join(root, path)).startsWith('#!'));
  if (program !== undefined)
    return `${program} can no longer be started as a program: its executable bit is gone. Put it back (chmod +x ${program}), or --allow ${program} permits it.`;
  for (const source of sources) {
    const problem =
      lostInterpreter(source, root, await baseText(source)) ?? (await ignoredSource(source, root, ignoring));
    if (problem !== undefined) return `${problem} --allow ${source} permits it.`;
  }
  return undefined;
}

function lostModule(source: string, root: string): string | undefined {
  return isImportable(source, root)
    ? `${source} is deleted, which users of the package can import. Leave a file there that exports what it did.`
    : undefined;
}

/** Whether users of the package can import a source by its path: every packed file without `exports`, else its targets. */
export function isImportable(source: string, root: string): boolean {
  const folder = publishedFolder(source, root);
  if (folder === undefined || !IMPORTABLE.test(source)) return false;
  const { exports, files } = manifestOf(root, folder);
  const path = posix.relative(folder, source);
  if (exports !== undefined) return textsIn(exports).some((it) => posix.normalize(it) === path);
  return !NEVER_PACKED.test(path) && (!Array.isArray(files) || packedBy(files.map(String))(path));
}

/** A link to what is in no checkout: out of the repository, to nothing, or to what git ignores. */
async function outerLink(link: string, root: string): Promise<string | undefined> {
  const target = readlinkSync(join(root, link));
  const path = posix.join(posix.dirname(link), target);
  const isOut = posix.isAbsolute(target) || path === '..' || path.startsWith('../');
  const isKept = !isOut && (await gitOutput(['ls-files', '-z', '--', path], root)) !== '';
  const isNew = !isOut && !isKept && (await isUnignored(path, root));
  return isKept || isNew
    ? undefined
    : `${link} is a symbolic link to ${target.slice(0, 200)}, which is no file of the repository, so that nobody else gets what it leads to. Make it a file.`;
}

async function isUnignored(path: string, root: string): Promise<boolean> {
  if (/(?:^|\/)(?:node_modules|\.git)(?:\/|$)/.test(path)) return false;
  const found = lstatSync(join(root, path), { throwIfNoEntry: false });
  const listed = ['ls-files', '-z', '--others', '--exclude-standard', '--', path];
  return found !== undefined && (await gitOutput(listed, root)) !== '';
}

function newLink(source: string, root: string): string | undefined {
  return publishedFolder(source, root) === undefined
    ? undefined
    : `${source} is a symbolic link now, and npm packs no links, so that users of the package do not get it. Keep it a file.`;
}

function lostInterpreter(source: string, root: string, before: string | undefined): string | undefined {
  const [first] = /^#![^\n]*/.exec(before ?? '') ?? [];
  const [now] = /^#![^\n]*/.exec(textOf(join(root, source))) ?? [];
  if (first === undefined || (now !== undefined && (!now.endsWith('\r') || first.endsWith('\r'))))
    return undefined;
  const problem = now === undefined ? 'does not any more' : 'that line ends with CR LF now';
  return `${source} began with ${first.trim().slice(0, 80)}, and ${problem}, so that a shell does not start its program. Put the line back.`;
}

async function ignoredSource(
  source: string,
  root: string,
  ignoring: readonly string[],
): Promise<string | undefined> {
  if (ignoring.length === 0 || publishedFolder(source, root) === undefined) return undefined;
  for (const file of ignoring) {
    const folder = posix.dirname(file);
    if (folder !== '.' && !source.startsWith(`${folder}/`)) continue;
    const rules = ['--cached', '--others', '--ignored', `--exclude-per-directory=${posix.basename(file)}`];
    if ((await gitOutput(['ls-files', '-z', ...rules, '--', source], root)) !== '')
      return `${source} is left out of the package by ${file}, which is new or changed. Take it out of that file.`;
  }
  return undefined;
}
