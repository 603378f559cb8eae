/**
 * Whether the pattern is not empty, JavaScript accepts it with these flags, and each of its lookarounds decides something, those
 * aside that decide nothing in the `original` either.
 */
export function isValidPattern(pattern: string, flags: string, original: string): boolean {
  try {
    if (pattern === '' || new RegExp(pattern, flags).source === '') return false;
    return idleLookarounds(pattern) <= idleLookarounds(original);
  } catch {
    return false;
  }
}

/** A lookaround without groups in it. */
const LOOKAROUND = /\(\?<?[=!]((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()[\\])*)\)/g;
/** An alternative that matches the empty text: nothing, or one part that may be left out. */
const IDLE = /(?:^|\|)(?:(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[|])[*?]\??)?(?=\||$)/;

/** The number of lookarounds that decide nothing because one of their alternatives matches everywhere, such as `(?<=\s*|;)`. */
function idleLookarounds(pattern: string): number {
  return [...pattern.matchAll(LOOKAROUND)].filter(([, alternatives]) => IDLE.test(alternatives!)).length;
}
