/** Quotes a text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line of a POSIX shell with these words. */
export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
