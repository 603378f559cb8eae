/**
 * Name of the test case for a whole file: one that could not be loaded, a script without tests, or what failed in a file beside its
 * tests. Where it stands for a file that could not be loaded, it disappears once the tests of the file are reported.
 */
export const FILE_CASE = '(file)';

/** The test file that the id of such a case names, with the prefix of its check; undefined for an id without a file. */
export function fileOfCase(id: string): string | undefined {
  return /^(.+) > \(file\)(?: #\d+)?$/s.exec(id)?.[1];
}
