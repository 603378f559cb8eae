import { join, posix } from 'node:path';
import { sourcesBelow } from '../../platform/files/sources-below.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { BesideTheCode, StrengthRequest } from '../../ports/acceptance.ts';
import type { FileChange } from '../../ports/tree.ts';
import { isEditableSource, isTestFile } from '../../repair/syntax/source-files.ts';
import { changedBlocks } from './changed-blocks.ts';

const CODE = /\.[cm]?[jt]sx?$/;
/** Text for readers, which goes with a change. */
const PAGE = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|mp4|webm)$/i;
/** Pages that say what holds in the project, or lead agents. */
const STANDING =
  /^(?:security|licen[cs]e|copying|notice|patents|authors|maintainers|codeowners|governance|code[-_]of[-_]conduct|agents?|claude|gemini|copilot\S*|skill|conventions|\S*instructions|\S*rules)\b/i;
const READ_ME = /^(?:readme|changelog|changes|history|news|releases|migrating|upgrading)(?:\.|$)/i;
/** Folders of text for readers whose names begin with a dot. */
const NOTES = /(?:^|\/)\.(?:changeset|changes|changelog)\//;
const HIDDEN = /(?:^|\/)\.[^/]+\//;
/** What a build or a test runner writes: scripts and settings in such folders are written by people. */
const BUILT =
  /(?:^|\/)node_modules\/|(?:^|\/)(?:dist|build|out|esm|cjs|umd|coverage|generated|__generated__|__snapshots__)\/(?!.*\.(?:sh|bash|ps1|ya?ml|toml|ini|conf|sql|tf|plist|py|rb|pl)$)(?!(?:.*\/)?[^./]+$)|\.(?:map|snap)$|\.min\./;
/** Samples for people, and lists of what git leaves out: what is only added to them may go with a change. */
const ADDED_TO = /(?:^|\/)(?:\.env(?:\.\w+)?\.(?:example|sample|template|dist)|\.gitignore)$/;
const SAMPLE = /(?:^|\/)\.env(?:\.\w+)?\.(?:example|sample|template|dist)$/;
const STORY = /\.stories\.[cm]?[jt]sx?$/;
const SHORTEST_NAME = 4;
/** Words of any task, which name no file. */
const COMMON =
  /^(?:make|every|fail(?:s|ed|ing)?|checks?|pass(?:es)?|tests?|code|files?|main|build|runs?|works?|fix(?:es)?|repairs?|should)$/i;

/**
 * The changed files that are not judged as code, and that a check must need: no tests, no pages for readers that go with the
 * change, nothing that the task names or the user allows, no new file that the code names.
 */
export function looseFiles(
  { root, changes, testFiles }: Pick<StrengthRequest, 'root' | 'changes' | 'testFiles'>,
  { task, isAllowed }: Pick<BesideTheCode, 'task' | 'isAllowed'>,
): FileChange[] {
  const tests = new Set(testFiles);
  let code: readonly string[] | undefined;
  const isNamed = (path: string): boolean => {
    code ??= sourcesBelow(root).map((file) => textOf(join(root, file)));
    return code.some((text) => names(text, path)) || namesWhole(textOf(join(root, 'package.json')), path);
  };
  return changes.files.filter(({ path, kind }) => {
    if (tests.has(path) || isTestFile(path) || BUILT.test(path) || isAllowed(path)) return false;
    if (CODE.test(path) && (kind !== 'added' || STORY.test(path) || !isEditableSource(path))) return false;
    if (isManifest(path)) return kind === 'modified' && !task.includes('package.json');
    if (isNamedBy(task, path)) return false;
    if (kind !== 'deleted' && isPage(path)) return false;
    const isAddedTo = kind === 'modified' ? ADDED_TO.test(path) : kind === 'added' && SAMPLE.test(path);
    if (isAddedTo && onlyAdds(root, changes.patch, path)) return false;
    return kind !== 'added' || !isNamed(path);
  });
}

/** Of a manifest, the values that it had are asked about, and no new ones. */
export function isManifest(path: string): boolean {
  return posix.basename(path) === 'package.json';
}

function isPage(path: string): boolean {
  const name = posix.basename(path);
  if (STANDING.test(name)) return false;
  if (HIDDEN.test(path)) return NOTES.test(path);
  return PAGE.test(path) || READ_ME.test(name) || (PICTURE.test(path) && /(?:^|\/)docs?\//i.test(path));
}

/** Whether a task has the name of a file, with or without its ending, or of its folder. */
function isNamedBy(task: string, path: string): boolean {
  const name = posix.basename(path);
  const folder = posix.basename(posix.dirname(path)).replace(/(?<=...)s$/, '');
  const plain = name.replace(/(?<=.)\..*$/s, '').replace(/^\./, '');
  const words = [plain, folder].filter((word) => word.length >= SHORTEST_NAME && !COMMON.test(word));
  return [name, ...words].some((word) => new RegExp(`(?<!\\w)${escapeRegExp(word)}`, 'i').test(task));
}

/** Whether lines are only added to a file and, of a list of what git leaves out, no source is left out. */
function onlyAdds(root: string, patch: string, path: string): boolean {
  const blocks = changedBlocks(patch).filter(({ file }) => file === path);
  if (blocks.length === 0 || blocks.some(({ before }) => before.length > 0)) return false;
  if (!path.endsWith('.gitignore')) return true;
  const lines = textOf(join(root, path)).split('\n');
  const added = blocks.flatMap(({ line, lines: count }) => lines.slice(line - 1, line - 1 + count));
  const sources = sourcesBelow(root);
  return !added.some((line) => sources.some((source) => leavesOut(line.trim(), source)));
}

/** Whether a line of `.gitignore` takes out a file, or an earlier line back. */
function leavesOut(line: string, path: string): boolean {
  if (line.startsWith('!')) return true;
  if (line === '' || line.startsWith('#')) return false;
  const bare = line.replace(/^\//, '').replace(/\/$/, '');
  const pattern = bare.split(/(\*\*\/?|\*|\?)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : escapeRegExp(part);
  });
  const isAnchored = line.startsWith('/') || bare.includes('/');
  return new RegExp(`${isAnchored ? '^' : '(?:^|/)'}${pattern.join('')}(?:/|$)`).test(path);
}

/** Files that code may name without their ending: modules, templates, and what a bundler reads. */
const NAMED_BY_STEM =
  /\.(?:[cm]?[jt]sx?|json|html?|ejs|hbs|handlebars|pug|njk|mustache|liquid|vue|svelte|astro|mdx?|graphql|gql|css|scss|sass|less|svg|png|jpe?g|gif|webp|wasm|txt)$/i;

/** Whether code has the name of a file between quotes or after a slash; without its ending only where code may leave that out. */
function names(text: string, path: string): boolean {
  if (namesWhole(text, path)) return true;
  if (!NAMED_BY_STEM.test(path) || HIDDEN.test(path)) return false;
  const stem = posix.basename(path).replace(/(?<=.)\..*$/s, '');
  const own = stem === 'index' ? posix.basename(posix.dirname(path)) : stem;
  // A module that is imported by its name alone is a package.
  const before = CODE.test(path) ? '/' : '["\'`/]';
  return new RegExp(`${before}${escapeRegExp(own)}(?:\\.[\\w.]+)?["'\`\\s?#]`).test(text);
}

function namesWhole(text: string, path: string): boolean {
  return new RegExp(`["'\`/\\s]${escapeRegExp(posix.basename(path))}["'\`\\s?#]`).test(text);
}
