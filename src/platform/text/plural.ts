/** A count with its noun: `1 attempt`, `2 attempts`; a plural that does not end in `s` is given: `2 processes`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
