import { shellCommand } from '../../platform/processes/shell-words.ts';

const MAX_COMMAND_CHARS = 8_000;

/**
 * The arguments without the named options and their values. Names stand without dashes: a single letter is `-x`, a
 * longer name `--name`, `--no-name` and `--name.sub`. A value is the next word, or follows `=`.
 */
export function dropOptions(args: readonly string[], names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (!names.includes(optionName(argument) ?? '')) kept.push(argument);
    else if (!argument.includes('=')) index++;
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

/** A command line that can be typed into a shell, at most 8,000 characters. */
export function renderCommand(words: readonly string[]): string {
  return shellCommand(words).slice(0, MAX_COMMAND_CHARS);
}

function optionName(argument: string): string | undefined {
  return /^--?(?:no-)?([A-Za-z][\w-]*)/.exec(argument)?.[1];
}
