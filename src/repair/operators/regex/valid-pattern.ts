/** Whether the pattern is not empty and JavaScript accepts it with these flags. */
export function isValidPattern(pattern: string, flags: string): boolean {
  try {
    return pattern !== '' && new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
}
