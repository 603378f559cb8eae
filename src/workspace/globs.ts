import picomatch from 'picomatch';

/**
 * Tests a path, relative to the root, against globs as `carry`, `protect` and `allow` mean them: one without
 * a slash matches the name in any folder, one that matches a folder means all that is in it, and a path that
 * is spelled out matches itself, whatever characters it has. No globs match nothing.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const exact = new Set(globs);
  const names = new Set(globs.filter((glob) => PLAIN_NAME.test(glob)));
  const patterns = globs.filter((glob) => !names.has(glob)).flatMap(patternsOf);
  const isMatch = patterns.length === 0 ? () => false : picomatch(patterns, { dot: true });
  return (path) => exact.has(path) || path.split('/').some((name) => names.has(name)) || isMatch(path);
}

/** Names that need no pattern: compiling one for each takes longer than all else that is asked here. */
const PLAIN_NAME = /^[\w-][\w.-]*$|^\.[\w-][\w.-]*$/;

function patternsOf(glob: string): string[] {
  const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const anchored = trimmed.includes('/') || glob.startsWith('/') ? trimmed : `**/${trimmed}`;
  return [anchored, `${anchored}/**`];
}
