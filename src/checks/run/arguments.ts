import { shellCommand } from '../../platform/processes/shell-words.ts';

/** Names of options, without dashes; single letters stand for `-x`, longer ones for `--name`. */
export interface OptionNames {
  /** Options without a value. */
  readonly flags?: readonly string[];
  /** Options with one, as the next word or after `=`. */
  readonly values?: readonly string[];
}

/** The arguments less the named options and their values, `--no-name` and `--name.sub` included. */
export function dropOptions(args: readonly string[], { flags = [], values = [] }: OptionNames): string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const name = optionName(argument);
    if (name !== undefined && values.includes(name)) {
      if (!argument.includes('=')) index++;
    } else if (name === undefined || !flags.includes(name)) kept.push(argument);
  }
  return kept;
}

/** Whether one of the named options is given. */
export function hasOption(args: readonly string[], ...names: readonly string[]): boolean {
  return args.some((argument) => names.includes(optionName(argument) ?? ''));
}

/** The value of the first of the named options that is given. */
export function optionValue(args: readonly string[], ...names: readonly string[]): string | undefined {
  const index = args.findIndex((argument) => names.includes(optionName(argument) ?? ''));
  if (index === -1) return undefined;
  const equals = args[index]!.indexOf('=');
  return equals === -1 ? args[index + 1] : args[index]!.slice(equals + 1);
}

/**
 * The arguments less the words that are no option. A word after an option without `=` may be its value and is
 * kept, unless the option is one of `flags`.
 */
export function dropPositionals(args: readonly string[], flags: readonly string[] = []): string[] {
  return args.filter((argument, index) => {
    if (argument.startsWith('-')) return true;
    const before = args[index - 1];
    return before?.startsWith('-') && !before.includes('=') && !flags.includes(optionName(before) ?? '');
  });
}

/** A command line that one can type: words quoted where a shell would take them apart. */
export function renderCommand(words: readonly string[]): string {
  return shellCommand(words).slice(0, 8_000);
}

function optionName(argument: string): string | undefined {
  return /^--?(?:no-)?([A-Za-z][\w-]*)/.exec(argument)?.[1];
}
