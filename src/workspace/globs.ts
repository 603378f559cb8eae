import picomatch from 'picomatch';

/**
 * Compiles the globs of `carry`, `protect` and `allow` into a test for paths relative to the root. A glob without a slash
 * matches a name in any folder; a glob that matches a folder, or names the root, matches everything in it; a literal path
 * matches itself, even if it contains glob characters. An empty list matches nothing.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const exact = new Set(globs);
  if (globs.some((glob) => ROOT.test(glob))) return () => true;
  const patterns = [...exact].map(parseGlob);
  const isName = anyOf(patterns.filter((it) => it.isName));
  const isPath = anyOf(patterns.filter((it) => !it.isName));
  const isInside = folderTest((path) => isName(nameOf(path)) || isPath(path));
  return (path) => exact.has(path) || isInside(folderOf(path)) || isName(nameOf(path)) || isPath(path);
}

/** Whether a text is a glob: not empty, and every bracket in it is closed. */
export function isGlob(text: string): boolean {
  try {
    return picomatch.makeRe(text, { strictBrackets: true }) !== undefined;
  } catch {
    return false;
  }
}

/** The folder that the paths are relative to. */
const ROOT = /^(?:\.\/?|\/)$/;

interface Pattern {
  /** True if it matches a name in any folder, false if it matches a path from the root. */
  readonly isName: boolean;
  readonly glob: string;
}

function parseGlob(glob: string): Pattern {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  return { isName: !trimmed.includes('/') && !glob.startsWith('/'), glob: trimmed };
}

/** Text without glob characters, which is not compiled because compiling is the slowest part. */
const PLAIN = /^(?:\.?[\w-][\w.-]*\/)*\.?[\w-][\w.-]*$/;

/** True for a text that one of the patterns matches: all of them are one regular expression, compiled on first use. */
function anyOf(patterns: readonly Pattern[]): (text: string) => boolean {
  const literal = new Set(patterns.map(({ glob }) => glob));
  const sources = [...literal].filter((glob) => glob !== '' && !PLAIN.test(glob));
  if (sources.length === 0) return (text) => literal.has(text);
  let compiled: RegExp | undefined;
  return (text) => literal.has(text) || (compiled ??= compile(sources)).test(text);
}

function compile(globs: readonly string[]): RegExp {
  return new RegExp(globs.map((glob) => `(?:${sourceOf(glob)})`).join('|'));
}

const compiledSources = new Map<string, string>();

/** The regular expression of a glob, cached because several lists share globs. */
function sourceOf(glob: string): string {
  const source = compiledSources.get(glob) ?? picomatch.makeRe(glob, { dot: true, nonegate: true }).source;
  compiledSources.set(glob, source);
  return source;
}

/** True for a folder that the test accepts, or that is in one that it accepts; each folder is tested once. */
function folderTest(test: (folder: string) => boolean): (folder: string) => boolean {
  const known = new Map<string, boolean>();
  return (folder) => {
    const open: string[] = [];
    let at = folder;
    for (; at !== '' && !known.has(at); at = folderOf(at)) open.push(at);
    let isInside = known.get(at) === true;
    for (const path of open.toReversed()) {
      isInside ||= test(path);
      known.set(path, isInside);
    }
    return isInside;
  };
}

/** The folder of a path; empty for one in the root. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
