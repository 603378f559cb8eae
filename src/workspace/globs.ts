import picomatch from 'picomatch';

/**
 * Tests a path, relative to the root, against globs as `carry`, `protect` and `allow` mean them: one without
 * a slash matches the name in any folder, one that matches a folder means all that is in it, and a path that
 * is spelled out matches itself, whatever characters it has. No globs match nothing.
 */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const exact = new Set(globs);
  const patterns = globs.flatMap((glob) => {
    const trimmed = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    const anchored = trimmed.includes('/') || glob.startsWith('/') ? trimmed : `**/${trimmed}`;
    return [anchored, `${anchored}/**`];
  });
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch(patterns, { dot: true });
  return (path) => exact.has(path) || isMatch(path);
}
