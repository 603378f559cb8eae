import { posix } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { TreeId } from '../../ports/tree.ts';
import type { Snapshots, TreeFile } from '../snapshots/snapshots.ts';
import { isTest } from './protected-paths.ts';

const CODE = /\.[cm]?[jt]sx?$/;
/** Data that a test compares with. */
const DATA = /\.(json5?|jsonl|ndjson|txt|csv|tsv|ya?ml|xml|sql|bin|golden|expected|out|snap)$/;
/** Data as well where it lies in a folder that is not for readers, under a name that is not a usual one. */
const DOCUMENT = /\.(md|markdown|rst|adoc)$/i;
const FOR_READERS =
  /(^[^/]+$)|(^|\/)(docs?|documentation|guides?|pages|content|posts|website|site|src|\.github)\/|(^|\/)(readme|changelog|contributing|license|security)[^/]*$/i;
/** They belong to the product, unless their name says otherwise. */
const PAGE = /\.(html?|svg|css)$/;
const MAX_TESTS = 500;
const MAX_SOURCES = 2_000;
/** A quoted path: relative, or with a folder or an ending. */
const PATH = /(['"`])((?:\.{1,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)\1/g;
/** Names of files that help tests and belong to no product. */
const HELPER =
  /(^|[/._-])(test(ing|s|-?(utils?|helpers?|kit))?|assert(ions?)?|expect(ations?|ed)?|helpers?|fixtures?|mocks?|stubs?|golden|cmp|compare|same|equals?)([/._-]|$)/i;
/** An import of a library that asserts. */
const ASSERTS =
  /(?:\bfrom|\bimport|\brequire\s*\()\s*['"](?:node:)?(?:assert(?:\/strict)?|chai|expect|should|unexpected|power-assert|uvu\/assert|vitest|@jest\/globals|@vitest\/expect|test|tap|tape|ava)['"]/;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.tsx', '.jsx', '/index.js', '/index.ts'];

/**
 * Files of the base that its tests, or the judging scripts, name and that no source names: data that they compare with, also
 * by its folder, and helpers that assert for them. A file that a source imports or reads is left out. Paths are relative to
 * the root.
 */
export async function neededByTests(
  base: TreeId,
  snapshots: Snapshots,
  judges: readonly string[] = [],
): Promise<readonly string[]> {
  const judging = new Set(judges);
  const isJudging = (path: string): boolean => isTest(path) || judging.has(path);
  const all = await snapshots.listFiles(base);
  const files = new Map(all.map((file) => [file.path, file]));
  const code = all.filter(({ path }) => CODE.test(path) && !path.includes('node_modules/'));
  const tests = all
    .filter(({ path }) => judging.has(path) || (CODE.test(path) && isTest(path)))
    .slice(0, MAX_TESTS);
  const texts = await textsOf(tests, snapshots);
  const places = tests.flatMap(({ path }) => placesNamed(texts.get(path)!, path));
  const named = new Set(places.flatMap((place) => fileAt(place, files) ?? []));
  const below = new Set(places.flatMap((place) => dataBelow(place, files)));
  const candidates = [...named, ...below].filter(
    (path) => !isJudging(path) && posix.basename(path) !== 'package.json',
  );
  if (candidates.length === 0) return [];
  const sources = code.filter(({ path }) => !isJudging(path)).slice(0, MAX_SOURCES);
  const sourceTexts = await textsOf(sources, snapshots);
  const isHelper = (path: string): boolean =>
    CODE.test(path)
      ? HELPER.test(path) || ASSERTS.test(sourceTexts.get(path) ?? '')
      : PAGE.test(path) && HELPER.test(path);
  const open = candidates.filter((path) => isData(path) || isHelper(path));
  const others = [...sourceTexts];
  const isUsed = (path: string, name: RegExp): boolean =>
    others.some(([source, text]) => source !== path && name.test(text));
  return open.filter((path) => {
    const stem = escapeRegExp(posix.basename(path).replace(CODE, ''));
    if (CODE.test(path)) return !isUsed(path, new RegExp(`['"\`/]${stem}[.'"\`]`));
    if (isUsed(path, new RegExp(`(?<![\\w-])${stem}(?![\\w-])`))) return false;
    const folder = escapeRegExp(posix.basename(posix.dirname(path)));
    return !below.has(path) || !isUsed(path, new RegExp(`['"\`/]${folder}['"\`/]`));
  });
}

function isData(path: string): boolean {
  return DATA.test(path) || (DOCUMENT.test(path) && !FOR_READERS.test(path));
}

async function textsOf(
  files: readonly TreeFile[],
  snapshots: Snapshots,
): Promise<ReadonlyMap<string, string>> {
  const contents = await snapshots.readBlobs(files.map(({ id }) => id));
  return new Map(files.map(({ path, id }) => [path, contents.get(id)?.toString('utf8') ?? '']));
}

/** The paths that a test or a judging script may mean by what it names: beside it, or from the root. */
function placesNamed(text: string, from: string): string[] {
  const names = CODE.test(from)
    ? [...text.matchAll(PATH)].map(([, , name]) => name!)
    : text.split(/[\s'"`;&|()<>$={}]+/).map((word) => word.replace(/\/?\*.*$/, ''));
  return names.flatMap((name) => {
    const beside = posix.join(posix.dirname(from), name);
    return name.startsWith('.') ? [beside] : [beside, posix.normalize(name)];
  });
}

function fileAt(place: string, files: ReadonlyMap<string, TreeFile>): string | undefined {
  return ENDINGS.map((end) => place + end).find((path) => files.has(path));
}

const MAX_DATA = 500;

/** The files in a folder of which none is code. */
function dataBelow(folder: string, files: ReadonlyMap<string, TreeFile>): string[] {
  if (folder === '' || folder === '.' || folder.startsWith('..')) return [];
  const start = `${folder.replace(/\/$/, '')}/`;
  const inside = [...files.keys()].filter((path) => path.startsWith(start));
  return inside.length <= MAX_DATA && inside.every(isData) ? inside : [];
}
