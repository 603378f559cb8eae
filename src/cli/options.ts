import { Option, type Command } from 'commander';
import { flagSettings, type Setting } from '../config/setting-list.ts';
import type { Config } from '../schema/generated.ts';

/** Options of every command that prints a result. */
export interface OutputOptions {
  readonly format: 'text' | 'json' | 'jsonl';
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
}

/** Adds the flags of settings to a command: of the given keys, or of all settings. */
export function addSettings(command: Command, keys?: readonly string[]): Command {
  const added = flagSettings().filter(({ key }) => keys === undefined || keys.includes(key));
  for (const setting of added) {
    const option = new Option(setting.flag, describeSetting(setting)).helpGroup(`${setting.group}:`);
    if (!option.isBoolean()) option.argParser(setting.parse);
    command.addOption(option);
  }
  return command;
}

/** The description as `--help` shows it: like a commander description, with the default at the end. */
function describeSetting({ description, default: value, flag = '', key }: Setting): string {
  const text = description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
  if (flag.startsWith('--no-') && !key.startsWith('no')) return `turn off: ${text}`;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return isShown ? `${text} (default: ${value})` : text;
}

/** `--format`, `--quiet`, `--verbose`, `--no-color`. */
export function addOutput(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <kind>', 'text, json or jsonl').choices(['text', 'json', 'jsonl']).default('text'),
    )
    .option('-q, --quiet', 'the verdict alone')
    .option('-v, --verbose', 'more of what happens')
    .option('--no-color', 'no colour (NO_COLOR does the same)');
}

/** The settings among a command's parsed options, as a configuration that the schema has not checked yet. */
export function configOf(options: Readonly<Record<string, unknown>>): Config {
  const given = flagSettings().flatMap(({ key, flag }) => {
    const option = new Option(flag);
    const value = options[option.attributeName()];
    // Commander reads `--no-memory` as "memory: false", and gives true without the flag: then the configuration decides.
    if (option.negate) return value === false ? [[key, key.startsWith('no')]] : [];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(given) as Config;
}
