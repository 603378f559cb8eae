import { posix } from 'node:path';
import { linesInTree } from '../../platform/files/lines-in-tree.ts';
import { placeInSource } from '../../platform/files/place-in-source.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';

const EXTENSIONS = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.mts',
  '.cjs',
  '.cts',
  '.jsx',
  '.tsx',
  '/index.js',
  '/index.ts',
];
/** Names in a test's line that are the test runner's. */
const RUNNER = new Set([
  'expect',
  'assert',
  'it',
  'test',
  'describe',
  'strictEqual',
  'equal',
  'deepEqual',
  'require',
]);

/** Reads files of a tree, for quotes in a reflection. Never throws. */
export interface SourceLines {
  /** The lines of a file; undefined for one that does not exist, is too large or lies outside the tree. */
  linesOf(file: string): readonly string[] | undefined;
  /** The place that a line of a built file comes from, by its source map; undefined without one. */
  inSource(place: Pick<Callee, 'file' | 'line'>): Pick<Callee, 'file' | 'line'> | undefined;
}

/** Reads files below `root`, an absolute path; reads none without a root. */
export function sourceLines(root: string | undefined): SourceLines {
  const cache = new Map<string, readonly string[] | undefined>();
  return {
    linesOf(file) {
      if (root === undefined) return undefined;
      if (!cache.has(file)) cache.set(file, linesInTree(root, file));
      return cache.get(file);
    },
    inSource: ({ file, line }) => (root === undefined ? undefined : placeInSource(root, { file, line })),
  };
}

/** The code of a line without white space around it; undefined for an empty or absent line. */
export function codeAt(sources: SourceLines, file: string, line: number | undefined): string | undefined {
  const code = line === undefined ? undefined : sources.linesOf(file)?.[line - 1]?.trim();
  return code === '' ? undefined : code;
}

/** A function that a line of a test calls, and the line of the source file that declares it. */
export interface Callee {
  readonly name: string;
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly isClass: boolean;
}

/** Lines above a failing line of a test in which the call is looked for that made its values. */
const LINES_ABOVE = 10;
const TEST_BEGINS = /^\s*(?:test|it|describe)\b/;

/**
 * The first function that a line calls and that its file imports from a file of the repository; else the one that the nearest
 * line above it calls, within the same test. Undefined if none is found.
 */
export function calleeAt(sources: SourceLines, file: string, line: number | undefined): Callee | undefined {
  const lines = sources.linesOf(file);
  if (lines === undefined || line === undefined) return undefined;
  const text = lines.join('\n');
  for (let at = line; at > Math.max(0, line - LINES_ABOVE); at--) {
    const code = codeAt(sources, file, at) ?? '';
    const found = calleeIn(sources, { file, text, code });
    if (found !== undefined) return { ...found, ...sources.inSource(found) };
    if (TEST_BEGINS.test(code)) return undefined;
  }
  return undefined;
}

interface TestLine {
  readonly file: string;
  /** The whole file, with its imports. */
  readonly text: string;
  readonly code: string;
}

function calleeIn(sources: SourceLines, { file, text, code }: TestLine): Callee | undefined {
  for (const [, name] of code.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\s*\(/g)) {
    if (RUNNER.has(name!)) continue;
    const found = declarationIn(sources, file, importOf(text, name!), name!);
    if (found !== undefined) return found;
  }
  for (const [, object, name] of code.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)\s*\(/g)) {
    const found = RUNNER.has(object!)
      ? undefined
      : declarationIn(sources, file, moduleOf(text, object!), name!);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A relative path in quotes. */
const SPECIFIER = String.raw`['"](\.{1,2}(?:/[^'"]*)?)['"]`;

/** The module that a name is imported from, by `import { name }` or `const { name } = require()`. */
function importOf(text: string, name: string): string | undefined {
  const list = String.raw`\{[^}]*(?<![\w$])${escapeRegExp(name)}(?![\w$])(?!\s+as\b)(?!\s*:)[^}]*\}`;
  return new RegExp(
    String.raw`(?:import\s*${list}\s*from\s*|(?:const|let|var)\s*${list}\s*=\s*require\(\s*)${SPECIFIER}`,
  ).exec(text)?.[1];
}

/** The module that a name stands for, by `import name`, `import * as name` or `const name = require()`. */
function moduleOf(text: string, name: string): string | undefined {
  return new RegExp(
    String.raw`(?:import\s+(?:\*\s*as\s+)?${escapeRegExp(name)}\s+from\s*|(?:const|let|var)\s+${escapeRegExp(name)}\s*=\s*require\(\s*)${SPECIFIER}`,
  ).exec(text)?.[1];
}

function declarationIn(
  sources: SourceLines,
  file: string,
  specifier: string | undefined,
  name: string,
): Callee | undefined {
  if (specifier === undefined) return undefined;
  const base = posix.join(posix.dirname(file), specifier);
  const declares = new RegExp(
    String.raw`^\s*(?:export\s+)?(?:async\s+)?(?:function\s*\*?\s*|(?:const|let|var|class)\s+)${escapeRegExp(name)}(?![\w$])`,
  );
  for (const path of [...EXTENSIONS.map((end) => base + end), base.replace(/\.js$/, '.ts')].map(
    posix.normalize,
  )) {
    const lines = sources.linesOf(path) ?? [];
    const first = lines.findIndex((line) => declares.test(line));
    if (first === -1) continue;
    const at = lastOverload(lines, first, declares);
    return { name, file: path, line: at + 1, isClass: /\bclass\s/.test(lines[at]!) };
  }
  return undefined;
}

/** The last declaration of a function with overloads, which has the body; else the first declaration. */
function lastOverload(lines: readonly string[], first: number, declares: RegExp): number {
  const head = /^\s*(?:export\s+)?(?:async\s+)?function\b/.exec(lines[first]!)?.[0];
  return head === undefined
    ? first
    : lines.findLastIndex((line) => line.startsWith(head) && declares.test(line));
}

const IMPORT = new RegExp(
  String.raw`(?:\bimport\s+([^'";]+?)\s+from\s*|\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+import|require)\(\s*)${SPECIFIER}`,
  'g',
);

/** The files of the repository from which a test imports a name that stands between its beginning and a line, in their order. */
export function importsUsedAt(sources: SourceLines, file: string, line: number): string[] {
  const lines = sources.linesOf(file) ?? [];
  const begin = lines.slice(0, line).findLastIndex((text) => TEST_BEGINS.test(text));
  if (begin === -1) return [];
  const code = lines.slice(begin, line).join('\n');
  const used = [...lines.join('\n').matchAll(IMPORT)].filter(([, names, bound]) =>
    ((names ?? bound)!.match(/[A-Za-z_$][\w$]*/g) ?? []).some((name) =>
      new RegExp(String.raw`(?<![\w$.])${escapeRegExp(name)}(?![\w$])`).test(code),
    ),
  );
  const found = used.flatMap(([, , , specifier]) => {
    const base = posix.join(posix.dirname(file), specifier!);
    const paths = [...EXTENSIONS.map((end) => base + end), base.replace(/\.js$/, '.ts')];
    return paths.map(posix.normalize).find((path) => sources.linesOf(path) !== undefined) ?? [];
  });
  return [...new Set(found)];
}
