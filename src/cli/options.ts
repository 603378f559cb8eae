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

/** Adds the flags of the settings with these keys to a command; of all settings by default. */
export function addSettings(command: Command, keys?: readonly string[]): Command {
  const added = flagSettings().filter(({ key }) => keys === undefined || keys.includes(key));
  for (const setting of added) {
    const option = new Option(setting.flag, describeSetting(setting)).helpGroup(`${setting.group}:`);
    if (!option.isBoolean()) option.argParser(setting.parse);
    command.addOption(option);
  }
  return command;
}

/** The description in the style of `--help`: lower case, no full stop, negated for `--no-…`, the default at the end. */
function describeSetting({ description, default: value, flag = '', key }: Setting): string {
  const text = description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
  if (flag.startsWith('--no-') && !key.startsWith('no')) return `do not ${text}`;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return isShown ? `${text} (default: ${value})` : text;
}

/** Adds `--format`, `--quiet`, `--verbose` and `--no-color`. */
export function addOutput(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <kind>', 'text, json or jsonl').choices(['text', 'json', 'jsonl']).default('text'),
    )
    .option('-q, --quiet', 'print only the verdict')
    .option('-v, --verbose', 'print more details')
    .option('--no-color', 'print without colours, as with NO_COLOR');
}

/** Option parser for a repeatable option: each use adds one text. */
export function collectText(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), text];
}

/** Option parser for a repeatable list: each use adds its comma-separated items. */
export function collectItems(text: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), ...text.split(',').map((item) => item.trim())];
}

/** The settings among a command's parsed options. The schema has not validated them yet. */
export function settingsFromOptions(options: Readonly<Record<string, unknown>>): Config {
  const given = flagSettings().flatMap(({ key, flag }) => {
    const option = new Option(flag);
    const value = options[option.attributeName()];
    // For `--no-memory` commander sets memory to false, and to true if the flag is absent: then the configuration decides.
    if (option.negate) return value === false ? [[key, key.startsWith('no')]] : [];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(given) as Config;
}
