import { lexShell, type ShellOperator, type ShellWord } from './shell-lexer.ts';

/** One simple command of a shell line: `A=b program word …`. */
export interface ShellCommand {
  /** Variables set for this command only. */
  readonly env: Readonly<Record<string, string>>;
  /** Program and arguments, without quotes. */
  readonly words: readonly string[];
  /** The operator between the previous command and this one; empty for the first. */
  readonly joinedBy: ShellOperator | '';
  /** The command as written, without redirections at its ends. */
  readonly text: string;
  /** The same with the redirections behind its words. */
  readonly redirected: string;
  /** Contains something that only a shell can evaluate: variables, substitutions, groups, an open quote. */
  readonly opaque: boolean;
}

/** Expands an unquoted pattern of a command; returns the pattern itself where it should stay. */
export type ExpandGlob = (pattern: string, commandText: string) => readonly string[];

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/**
 * Splits a package script into its simple commands. A line with a group or an open quote is one opaque command.
 * Never throws.
 */
export function parseCommandLine(line: string, expandGlob: ExpandGlob = (it) => [it]): ShellCommand[] {
  const tokens = lexShell(line);
  if (tokens === undefined) {
    const text = line.trim();
    return [{ env: {}, words: [], joinedBy: '', text, redirected: text, opaque: true }];
  }
  const groups: { joinedBy: ShellCommand['joinedBy']; words: ShellWord[]; end: number }[] = [
    { joinedBy: '', words: [], end: 0 },
  ];
  for (const token of tokens) {
    if (token.kind === 'operator') groups.push({ joinedBy: token.text, words: [], end: 0 });
    else groups.at(-1)!.end = token.end;
    if (token.kind === 'word') groups.at(-1)!.words.push(token);
  }
  return groups.flatMap(({ joinedBy, words, end }) => {
    if (words.length === 0) return [];
    const text = line.slice(words[0]!.start, words.at(-1)!.end);
    const split = splitAssignments(words, (pattern) => expandGlob(pattern, text));
    const redirected = line.slice(words[0]!.start, end);
    return [{ ...split, joinedBy, text, redirected, opaque: words.some((it) => it.opaque) }];
  });
}

/** `A=b` → `['A', 'b']`; `undefined` for any other word. */
export function parseAssignment(word: string): readonly [name: string, value: string] | undefined {
  const [, name, value] = ASSIGNMENT.exec(word) ?? [];
  return name === undefined ? undefined : [name, value!];
}

function splitAssignments(
  words: readonly ShellWord[],
  expandGlob: (pattern: string) => readonly string[],
): Pick<ShellCommand, 'env' | 'words'> {
  const first = words.findIndex((word) => parseAssignment(word.text) === undefined);
  const count = first === -1 ? words.length : first;
  const env = Object.fromEntries(words.slice(0, count).map((word) => parseAssignment(word.text)!));
  const rest = words.slice(count).flatMap((word) => (word.glob ? expandGlob(word.text) : [word.text]));
  return { env, words: rest };
}
