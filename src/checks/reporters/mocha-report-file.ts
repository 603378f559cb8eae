const GIVEN = /^(--reporter-options?=)?ralphReport=/;

/**
 * Absolute path of the report in the arguments of a Mocha process; empty if there is none. Mocha 6 to 11 writes option and
 * value as two words where it starts another process for options of Node.
 */
export function reportFileIn(words: readonly string[]): string {
  return words.find((word) => GIVEN.test(word))?.replace(GIVEN, '') ?? '';
}
