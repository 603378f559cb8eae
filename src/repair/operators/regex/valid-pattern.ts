/** Whether the pattern is not empty, JavaScript accepts it with these flags, and each of its lookarounds can fail. */
export function isValidPattern(pattern: string, flags: string): boolean {
  try {
    return pattern !== '' && new RegExp(pattern, flags).source !== '' && !hasIdleLookaround(pattern);
  } catch {
    return false;
  }
}

/** A lookaround without groups in it. */
const LOOKAROUND = /\(\?<?[=!]((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()[\\])*)\)/g;
/** An alternative that matches the empty text: nothing, or one part that may be left out. */
const IDLE = /(?:^|\|)(?:(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[|])[*?]\??)?(?=\||$)/;

/** Whether a lookaround says nothing because one of its alternatives matches everywhere, such as `(?<=\s*|;)`. */
function hasIdleLookaround(pattern: string): boolean {
  return [...pattern.matchAll(LOOKAROUND)].some(([, alternatives]) => IDLE.test(alternatives!));
}
