import type { Argument, Command, Option } from 'commander';

/** A word that can be completed to. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True if the shell may offer file names too. */
  readonly files: boolean;
}

/** Values that depend on the repository. Never rejects; without a repository the list is empty. */
export interface CompletionValues {
  /**
   * Values of an option or argument, found by its placeholder (`loop-id` in `[loop-id]`) or the option's long name;
   * undefined for free text.
   */
  list(
    placeholder: string,
    option: string | undefined,
    command: string,
  ): Promise<readonly Candidate[] | undefined>;
}

/** Placeholders that stand for a path. */
const PATH_PLACEHOLDERS = new Set(['file', 'path', 'dir', 'repository', 'glob']);

/**
 * Completes the last of `words`: commands, options and their values, all from the program's own definitions.
 * `--format=js` may come as one word, or as three (`--format`, `=`, `js`), as bash splits it.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  values: CompletionValues,
): Promise<Completion> {
  const typed = words.flatMap(splitAtEquals);
  const current = typed.at(-1) ?? '';
  const { command, argumentCount, pendingOption, isPastDashes } = walk(program, typed.slice(0, -1));
  if (pendingOption !== undefined) return completeOption(pendingOption, { command, current, values });
  if (current.startsWith('-') && !isPastDashes)
    return matching(current, command.createHelp().visibleOptions(command).flatMap(flagCandidates));
  const subcommands = argumentCount === 0 ? subcommandCandidates(command) : [];
  const argument = argumentAt(command, argumentCount);
  const found =
    argument === undefined ? undefined : await values.list(argument.name(), undefined, command.name());
  const files = argument !== undefined && found === undefined && isPath(argument.name());
  return { ...matching(current, [...subcommands, ...(found ?? [])]), files };
}

/** The parser's state before the word that is completed. */
interface Position {
  readonly command: Command;
  /** Number of arguments that were given to the command. */
  readonly argumentCount: number;
  /** The option whose value comes next. */
  readonly pendingOption: Option | undefined;
  /** True after `--`. */
  readonly isPastDashes: boolean;
}

function walk(program: Command, words: readonly string[]): Position {
  let command = program;
  let argumentCount = 0;
  let pendingOption: Option | undefined;
  let isPastDashes = false;
  for (const word of words) {
    if (pendingOption !== undefined) pendingOption = undefined;
    else if (word === '--') isPastDashes = true;
    else if (word.startsWith('-') && !isPastDashes) pendingOption = findValueOption(command, word);
    else {
      const inner = argumentCount === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (inner === undefined) argumentCount++;
      else command = inner;
    }
  }
  return { command, argumentCount, pendingOption, isPastDashes };
}

/** The option with this flag, if it has a value. */
function findValueOption(command: Command, flag: string): Option | undefined {
  return command.options.find(
    (option) => (option.long === flag || option.short === flag) && (option.required || option.optional),
  );
}

interface OptionContext {
  readonly command: Command;
  readonly current: string;
  readonly values: CompletionValues;
}

async function completeOption(
  option: Option,
  { command, current, values }: OptionContext,
): Promise<Completion> {
  const placeholder = /<([^>]+)>/.exec(option.flags)?.[1] ?? '';
  const found =
    option.argChoices?.map((value) => ({ value, description: '' })) ??
    (await values.list(placeholder, option.attributeName(), command.name()));
  return { ...matching(current, found ?? []), files: found === undefined && isPath(placeholder) };
}

function matching(current: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)), files: false };
}

function flagCandidates(option: Option): Candidate[] {
  return option.long === undefined ? [] : [{ value: option.long, description: option.description }];
}

function subcommandCandidates(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => ({ value: one.name(), description: one.summary() || one.description() }));
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic === true ? last : undefined);
}

function splitAtEquals(word: string): string[] {
  if (word === '=') return [];
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function isPath(placeholder: string): boolean {
  return PATH_PLACEHOLDERS.has(placeholder.replace(/\.\.\.$/, ''));
}
