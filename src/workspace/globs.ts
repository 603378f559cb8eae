import picomatch from 'picomatch';

/**
 * Compiles the globs of `carry`, `protect` and `allow` into a test for paths relative to the root. A glob without a slash
 * matches a name in any folder; a glob that matches a folder matches everything in it; a literal path matches itself, even
 * if it contains glob characters. An empty list matches nothing.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const exact = new Set(globs);
  const plainNames = new Set(globs.filter((glob) => PLAIN_NAME.test(glob)));
  const patterns = globs.filter((glob) => !plainNames.has(glob)).map(parseGlob);
  const namePatterns = patterns.filter(({ isName }) => isName);
  const pathPatterns = patterns.filter(({ isName }) => !isName);
  return (path) => {
    if (exact.has(path)) return true;
    const parts = path.split('/');
    if (parts.some((name) => plainNames.has(name) || namePatterns.some(({ isMatch }) => isMatch(name))))
      return true;
    if (pathPatterns.length === 0) return false;
    return parts.some((_, depth) => {
      const folder = parts.slice(0, depth + 1).join('/');
      return pathPatterns.some(({ isMatch }) => isMatch(folder));
    });
  };
}

interface Pattern {
  /** True if it matches a name in any folder, false if it matches a path from the root. */
  readonly isName: boolean;
  isMatch(text: string): boolean;
}

/** Names without glob characters, which are not compiled because compiling is the slowest part. */
const PLAIN_NAME = /^[\w-][\w.-]*$|^\.[\w-][\w.-]*$/;

function parseGlob(glob: string): Pattern {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  return { isName: !trimmed.includes('/') && !glob.startsWith('/'), isMatch: lazyMatcher(trimmed) };
}

const matchers = new Map<string, (text: string) => boolean>();

/** A matcher that is compiled on first use and cached, because several lists share globs. */
function lazyMatcher(glob: string): (text: string) => boolean {
  return (text) => {
    const isMatch = matchers.get(glob) ?? picomatch(glob, { dot: true, nonegate: true });
    matchers.set(glob, isMatch);
    return isMatch(text);
  };
}
