import { Option, type Command } from 'commander';
import { groupOf } from '../config/setting-groups.ts';
import { SETTING_SOURCES } from '../config/sources.ts';
import type { Config } from '../schema/generated.ts';

/** What every command that prints takes. */
export interface OutputOptions {
  readonly format: 'text' | 'json' | 'jsonl';
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
}

/** The settings that a command takes as flags; all of them by default. */
export function addSettings(command: Command, keys?: readonly string[]): Command {
  for (const { key, flag, description, parse } of SETTING_SOURCES) {
    if (keys !== undefined && !keys.includes(key)) continue;
    const option = new Option(flag, description).helpGroup(`${groupOf(key)}:`);
    if (flag.includes('<')) option.argParser((text: string, previous: unknown) => parse(text, previous));
    command.addOption(option);
  }
  return command;
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

/** The settings among a command's parsed options, as a configuration for the schema to check. */
export function configOf(options: Readonly<Record<string, unknown>>): Config {
  const given = SETTING_SOURCES.flatMap(({ key, flag }) => {
    // Commander reads `--no-regressions` as "regressions: false".
    if (key === 'noRegressions') return options.regressions === false ? [[key, true]] : [];
    // So it does with `--no-memory`; without the flag the configuration decides.
    if (flag.startsWith('--no-') && options[key] === true) return [];
    const value = options[OPTION_NAMES[key] ?? key];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(given) as Config;
}

/** Where the flag's own word is not the setting's. */
const OPTION_NAMES: Readonly<Partial<Record<keyof Config, string>>> = {
  checks: 'check',
  fallbackModels: 'fallbackModel',
};
