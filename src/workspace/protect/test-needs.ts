import { posix } from 'node:path';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import type { TreeId } from '../../ports.ts';
import type { Snapshots, TreeFile } from '../snapshots/snapshots.ts';
import { isTest } from './protected-paths.ts';

const CODE = /\.[cm]?[jt]sx?$/;
/** Data that a test compares with; documents belong to the product. */
const DATA = /\.(json5?|jsonl|ndjson|txt|csv|tsv|ya?ml|xml|html?|svg|css|sql|bin|golden|expected|out|snap)$/;
const MAX_TESTS = 500;
const MAX_SOURCES = 2_000;
/** A quoted path: relative, or with a folder or an ending. */
const PATH = /(['"`])((?:\.{1,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)\1/g;
/** Names of files that help tests and belong to no product. */
const HELPER =
  /(^|[/._-])(test(ing|s|-?(utils?|helpers?|kit))?|assert(ions?)?|expect(ations?|ed)?|helpers?|fixtures?|mocks?|stubs?|golden)([/._-]|$)/i;
/** An import of a library that asserts. */
const ASSERTS =
  /(?:\bfrom|\bimport|\brequire\s*\()\s*['"](?:node:)?(?:assert(?:\/strict)?|chai|expect|should|unexpected|power-assert|uvu\/assert|vitest|@jest\/globals|@vitest\/expect|test|tap|tape|ava)['"]/;
const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.tsx', '.jsx', '/index.js', '/index.ts'];

/**
 * Files of the base that its tests name and that no source names: data that they compare with, and helpers that assert for
 * them. A file that a source imports or reads is left out. Paths are relative to the root.
 */
export async function neededByTests(base: TreeId, snapshots: Snapshots): Promise<readonly string[]> {
  const all = await snapshots.listFiles(base);
  const files = new Map(all.map((file) => [file.path, file]));
  const code = all.filter(({ path }) => CODE.test(path) && !path.includes('node_modules/'));
  const tests = code.filter(({ path }) => isTest(path)).slice(0, MAX_TESTS);
  const texts = await textsOf(tests, snapshots);
  const named = new Set(tests.flatMap(({ path }) => namesIn(texts.get(path)!, path, files)));
  const candidates = [...named].filter((path) => !isTest(path) && posix.basename(path) !== 'package.json');
  if (candidates.length === 0) return [];
  const sources = code.filter(({ path }) => !isTest(path)).slice(0, MAX_SOURCES);
  const sourceTexts = await textsOf(sources, snapshots);
  const isHelper = (path: string): boolean =>
    CODE.test(path) && (HELPER.test(path) || ASSERTS.test(sourceTexts.get(path) ?? ''));
  const open = candidates.filter((path) => DATA.test(path) || isHelper(path));
  const others = [...sourceTexts];
  return open.filter((path) => {
    const stem = escapeRegExp(posix.basename(path).replace(CODE, ''));
    // Code is named in imports; data may be named in any way.
    const name = new RegExp(CODE.test(path) ? `['"\`/]${stem}[.'"\`]` : `(?<![\\w-])${stem}(?![\\w-])`);
    return !others.some(([source, text]) => source !== path && name.test(text));
  });
}

async function textsOf(
  files: readonly TreeFile[],
  snapshots: Snapshots,
): Promise<ReadonlyMap<string, string>> {
  const contents = await snapshots.readBlobs(files.map(({ id }) => id));
  return new Map(files.map(({ path, id }) => [path, contents.get(id)?.toString('utf8') ?? '']));
}

/** Files that a test names: beside it, or from the root. */
function namesIn(text: string, from: string, files: ReadonlyMap<string, TreeFile>): string[] {
  return [...text.matchAll(PATH)].flatMap(([, , name]) => {
    const beside = posix.join(posix.dirname(from), name!);
    const places = name!.startsWith('.') ? [beside] : [beside, name!];
    const found = places
      .flatMap((place) => ENDINGS.map((end) => place + end))
      .find((path) => files.has(path));
    return found ?? [];
  });
}
