/** The command line as a page of Markdown, from commander's own definitions. */
import type { Argument, Command, Option } from 'commander';
import { ROOT_EXAMPLES, commandsByGroup } from '../../src/cli/help.ts';

/** All commands with their options, by group. */
export function renderCliPage(program: Command): string {
  return [
    '# Command line',
    '',
    'Generated from the definitions of the commands by `npm run generate`. `ralph <command> --help` prints the same.',
    '',
    '```text',
    ...ROOT_EXAMPLES.map(([command, meaning]) => `${command}${meaning === '' ? '' : `   # ${meaning}`}`),
    '```',
    '',
    ...commandsByGroup(program).flatMap(([group, commands]) => [
      `## ${group}`,
      '',
      ...commands.flatMap((command) => renderCommand(command, 'ralph')),
    ]),
  ].join('\n');
}

function renderCommand(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length > 0)
    return [
      `### ${name}`,
      '',
      escapeText(command.description()),
      '',
      ...command.commands.flatMap((inner) => renderCommand(inner, name)),
    ];
  return [
    `### ${[name, ...command.registeredArguments.map(renderArgument)].map(escapeHeading).join(' ')}`,
    '',
    escapeText(command.description()),
    '',
    ...optionTables(command),
  ];
}

function optionTables(command: Command): string[] {
  const visible = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help');
  const groups = Map.groupBy(visible, (option) => option.helpGroupHeading ?? 'Options:');
  return [...groups].flatMap(([heading, options]) => [
    ...(groups.size > 1 ? [`**${heading.replace(/:$/, '')}**`, ''] : []),
    '| Option | |',
    '| --- | --- |',
    ...options.map(
      (option) => `| \`${option.flags.replaceAll('|', '\\|')}\` | ${escapeText(describeOption(option))} |`,
    ),
    '',
  ]);
}

/** The description of an option with its choices and its default. */
export function describeOption(option: Option): string {
  const choices = option.argChoices === undefined ? '' : ` (${option.argChoices.join(', ')})`;
  const defaultText =
    option.defaultValue === undefined || option.negate ? '' : ` (default: ${String(option.defaultValue)})`;
  return `${option.description}${choices}${defaultText}`;
}

/** An argument in the notation of usage lines: `<id>`, `[word...]`. */
export function renderArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function escapeHeading(text: string): string {
  return text.replaceAll('<', '\\<').replaceAll('[', '\\[').replaceAll(']', '\\]');
}

function escapeText(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replace(/<([a-z-]+)>/g, '`<$1>`')
    .replaceAll('*', '\\*')
    .replaceAll('_', '\\_');
}
