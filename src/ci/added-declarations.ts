import type { RemoteDesk } from '../platform/git/remote.ts';
import { splitNul } from '../platform/git/git.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { addedNames, handedOn, stemOf } from './rules/added-names.ts';
import type { ChangedText } from './rules/unseen.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const SOURCES = ['*.js', '*.mjs', '*.cjs', '*.jsx', '*.ts', '*.mts', '*.cts', '*.tsx'];

/** Words of documents and lists name no code. */
const CODE = [
  ':(exclude)*.md',
  ':(exclude)*.mdx',
  ':(exclude)*.txt',
  ':(exclude)*lock*',
  ':(exclude)LICENSE*',
];

/**
 * Why one of some changed sources is not published, as the end of "The patch …": it declares what nothing in the repository
 * names, or exports a name that a module beside it exports, so that one which hands on both has neither. Undefined if none
 * does.
 */
export async function problemOfDeclarations(
  desk: RemoteDesk,
  commit: string,
  text: ChangedText,
): Promise<string | undefined> {
  const { path } = text;
  if (!SOURCE.test(path) || DECLARATION.test(path) || isTest(path) || isNamedTest(path)) return undefined;
  const shown = JSON.stringify(path);
  const permits = `; --allow ${shown} permits it`;
  for (const { name, isExported, isUsed } of addedNames(text)) {
    if (!isUsed && (await filesWith(desk, { commit, path, pattern: name, files: CODE })).length === 0)
      return `adds ${JSON.stringify(name)} to ${shown}, which nothing in the repository names${permits}`;
    const other = isExported ? await otherExporter(desk, { commit, path, name }) : undefined;
    if (other !== undefined)
      return `exports ${JSON.stringify(name)} from ${shown}, as ${JSON.stringify(other.path)} does, so that ${JSON.stringify(other.through)} exports neither${permits}`;
  }
  return undefined;
}

interface Search {
  readonly commit: string;
  /** The file that is left out. */
  readonly path: string;
  readonly pattern: string;
  /** Globs of git. */
  readonly files: readonly string[];
}

/** Files of a commit that have a pattern between ends of words. */
async function filesWith(desk: RemoteDesk, { commit, path, pattern, files }: Search): Promise<string[]> {
  const found = await desk.run([
    ...['grep', '-z', '--files-with-matches', '--word-regexp', '--extended-regexp', '-e'],
    ...[pattern.replaceAll('$', '\\$'), commit, '--', ...files, `:(exclude,literal)${path}`],
  ]);
  return splitNul(found.stdout).map((it) => it.toString('utf8').slice(commit.length + 1));
}

/** Another module with an export of the name, and a third one that hands on all of both. */
async function otherExporter(
  desk: RemoteDesk,
  { commit, path, name }: { readonly commit: string; readonly path: string; readonly name: string },
): Promise<{ readonly path: string; readonly through: string } | undefined> {
  const find = (pattern: string): Promise<string[]> =>
    filesWith(desk, { commit, path, pattern, files: SOURCES });
  const others = await find(`export .*${escapeRegExp(name)}`);
  if (others.length === 0) return undefined;
  for (const through of await find(`export[[:space:]]*\\*[[:space:]]*from .*${escapeRegExp(stemOf(path))}`)) {
    const text = await desk.git(['cat-file', 'blob', `${commit}:${through}`]);
    const stems = handedOn(text.toString('utf8'));
    const other = others.find((it) => it !== through && !isTest(it) && stems.has(stemOf(it)));
    if (other !== undefined && stems.has(stemOf(path))) return { path: other, through };
  }
  return undefined;
}
