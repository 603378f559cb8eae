import picomatch from 'picomatch';

/**
 * Tests a path, relative to the root, against globs as `carry`, `protect` and `allow` mean them: one without
 * a slash matches the name in any folder, one that matches a folder means all that is in it, and a path that
 * is spelled out matches itself, whatever characters it has. No globs match nothing.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const exact = new Set(globs);
  const names = new Set(globs.filter((glob) => PLAIN_NAME.test(glob)));
  const patterns = globs.filter((glob) => !names.has(glob)).map(patternOf);
  const ofNames = patterns.filter(({ isName }) => isName);
  const ofPaths = patterns.filter(({ isName }) => !isName);
  return (path) => {
    if (exact.has(path)) return true;
    const parts = path.split('/');
    if (parts.some((name) => names.has(name) || ofNames.some(({ isMatch }) => isMatch(name)))) return true;
    if (ofPaths.length === 0) return false;
    return parts.some((_, depth) => {
      const folder = parts.slice(0, depth + 1).join('/');
      return ofPaths.some(({ isMatch }) => isMatch(folder));
    });
  };
}

interface Pattern {
  /** Meant for the name of a file or folder wherever it is, not for a path from the root. */
  readonly isName: boolean;
  isMatch(text: string): boolean;
}

/** Names that need no pattern: compiling one for each takes longer than all else that is asked here. */
const PLAIN_NAME = /^[\w-][\w.-]*$|^\.[\w-][\w.-]*$/;

function patternOf(glob: string): Pattern {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  return { isName: !trimmed.includes('/') && !glob.startsWith('/'), isMatch: compiled(trimmed) };
}

const kept = new Map<string, (text: string) => boolean>();

/** Compiled when it is first asked, and once: the same globs are in several lists. */
function compiled(glob: string): (text: string) => boolean {
  return (text) => {
    const isMatch = kept.get(glob) ?? picomatch(glob, { dot: true, nonegate: true });
    kept.set(glob, isMatch);
    return isMatch(text);
  };
}
