import type { Argument, Command, Option } from 'commander';

/** One word that may stand where the cursor is. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What may stand where the cursor is; the shell itself adds files where `files` is true. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly files: boolean;
}

/** Values that only the place itself knows. Never reject: where nothing is known there is nothing to offer. */
export interface Values {
  /** Of an option or argument, by the name in its brackets and its long name; undefined for text of the user's own. */
  of(name: string, option: string | undefined, command: string): Promise<readonly Candidate[] | undefined>;
}

const FILES = new Set(['file', 'path', 'dir', 'repository', 'glob']);

/**
 * What can follow `words`, the last of which is being typed: commands, options, and their values, all from the
 * program's own definitions. `--format=js` may come as one word or as three, as bash splits it.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  values: Values,
): Promise<Completion> {
  const typed = words.flatMap(splitAtSign);
  const current = typed.at(-1) ?? '';
  const { command, taken, awaiting, isEnded } = walk(program, typed.slice(0, -1));
  if (awaiting !== undefined) return ofOption(awaiting, { command, current, values });
  if (current.startsWith('-') && !isEnded)
    return only(current, command.createHelp().visibleOptions(command).flatMap(flagsOf));
  const named = taken === 0 ? subcommandsOf(command) : [];
  const argument = argumentAt(command, taken);
  const found =
    argument === undefined ? undefined : await values.of(argument.name(), undefined, command.name());
  const files = argument !== undefined && found === undefined && FILES.has(plain(argument.name()));
  return { ...only(current, [...named, ...(found ?? [])]), files };
}

interface Standing {
  readonly command: Command;
  /** Arguments of the command that are there already. */
  readonly taken: number;
  /** The option whose value comes next. */
  readonly awaiting: Option | undefined;
  /** `--` stands before. */
  readonly isEnded: boolean;
}

function walk(program: Command, words: readonly string[]): Standing {
  let command = program;
  let taken = 0;
  let awaiting: Option | undefined;
  let isEnded = false;
  for (const word of words) {
    if (awaiting !== undefined) awaiting = undefined;
    else if (word === '--') isEnded = true;
    else if (word.startsWith('-') && !isEnded) awaiting = optionNamed(command, word);
    else {
      const inner = taken === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (inner === undefined) taken++;
      else command = inner;
    }
  }
  return { command, taken, awaiting, isEnded };
}

/** Only where it takes a value. */
function optionNamed(command: Command, word: string): Option | undefined {
  return command.options.find(
    (option) => (option.long === word || option.short === word) && (option.required || option.optional),
  );
}

interface Asked {
  readonly command: Command;
  readonly current: string;
  readonly values: Values;
}

async function ofOption(option: Option, { command, current, values }: Asked): Promise<Completion> {
  const name = /<([^>]+)>/.exec(option.flags)?.[1] ?? '';
  const found =
    option.argChoices?.map((value) => ({ value, description: '' })) ??
    (await values.of(name, option.attributeName(), command.name()));
  return { ...only(current, found ?? []), files: found === undefined && FILES.has(plain(name)) };
}

function only(current: string, candidates: readonly Candidate[]): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)), files: false };
}

function flagsOf(option: Option): Candidate[] {
  return option.long === undefined ? [] : [{ value: option.long, description: option.description }];
}

function subcommandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => ({ value: one.name(), description: one.summary() || one.description() }));
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[index] ?? (last?.variadic === true ? last : undefined);
}

function splitAtSign(word: string): string[] {
  if (word === '=') return [];
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function plain(name: string): string {
  return name.replace(/\.\.\.$/, '');
}
