/** The complete lines of a file as they were parsed. */
interface Parsed<T> {
  readonly content: Buffer;
  readonly values: readonly T[];
}

/** Files whose lines are kept, those that were read last; and the size of the largest. */
const MOST_FILES = 8;
const MOST_BYTES = 16 * 2 ** 20;
const NEWLINE = 0x0a;

/** Parses the lines of a file, one value a line. `key`: the same for the same file and parser. */
export type ParseLines<T> = (key: string, content: Buffer, parse: (line: string) => T) => T[];

/**
 * A parser of files that grow at their end. A loop reads them at each attempt, and each time only the lines that came
 * since are parsed: the bytes that it parsed the time before must be the beginning of the content. The values are shared
 * by all results and must not be changed. The last value is that of the line without a line break, if there is one.
 */
export function createLineParser<T>(): ParseLines<T> {
  const known = new Map<string, Parsed<T>>();
  return (key, content, parse) => {
    const before = beginning(content, known.get(key));
    const end = content.lastIndexOf(NEWLINE) + 1;
    const added = linesIn(content.subarray(before.content.length, end)).slice(0, -1);
    const values = [...before.values, ...added.map(parse)];
    known.delete(key);
    if (end <= MOST_BYTES) known.set(key, { content: content.subarray(0, end), values });
    for (const oldest of [...known.keys()].slice(0, -MOST_FILES)) known.delete(oldest);
    return end === content.length ? values : [...values, parse(content.toString('utf8', end))];
  };
}

/** What was parsed before, if the content begins with it; else nothing. */
function beginning<T>(content: Buffer, before: Parsed<T> | undefined): Parsed<T> {
  const isSame = before !== undefined && content.subarray(0, before.content.length).equals(before.content);
  return isSame ? before : { content: Buffer.of(), values: [] };
}

function linesIn(part: Buffer): string[] {
  return part.toString('utf8').split('\n');
}
