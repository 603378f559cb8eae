/** One word of a POSIX shell, whatever characters it has. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words of a POSIX shell as one command. */
export function shellCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
