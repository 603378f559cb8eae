import type { Command, Help } from 'commander';
import { nearest } from '../platform/text/nearest.ts';

/** A command line and what it does; the second text may be empty. */
export type Example = readonly [command: string, meaning: string];

/** Shown at the end of `ralph --help`, in the man page and in the reference. */
export const ROOT_EXAMPLES: readonly Example[] = [
  ['ralph init && ralph doctor', 'write a configuration, then check the setup'],
  ['ralph run', 'repair every failing check, offline, without a key'],
  ['ralph run "make the cart round" --model anthropic/claude-sonnet-4-5', ''],
  ['ralph run --agent opencode', 'or --command "my-agent --stdin"'],
  ['ralph run --tasks TODO.md', 'one loop for each open item of a list'],
  ['ralph undo', 'revert the last applied result'],
];

/** Exit codes with a short meaning each, for `ralph --help` and the man page. */
export const EXIT_CODES = [
  ['0', 'verified'],
  ['1', 'unverified'],
  ['2', 'usage'],
  ['3', 'budget'],
  ['4', 'workspace'],
  ['5', 'actor'],
  ['6', 'check could not run'],
  ['7', 'state damaged'],
  ['8', 'unproven'],
  ['130/143', 'interrupted'],
] as const;

/** Gives the program a help text that fits one screen, and adds the nearest choice to errors about an invalid value. */
export function configureHelp(program: Command): void {
  const defaultFormat = program.createHelp().formatHelp;
  program.configureHelp({
    formatHelp: (command: Command, helper: Help) =>
      command.parent === null ? renderRootHelp(command) : defaultFormat.call(helper, command, helper),
  });
  program.configureOutput({
    outputError: (text, write) => write(withNearestChoice(text.replace(/^error:/, 'ralph:'))),
  });
}

/** The visible commands by the heading of `ralph --help`, without commander's own `help` command. */
export function commandsByGroup(program: Command): [group: string, commands: Command[]][] {
  const visible = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help');
  return [...Map.groupBy(visible, (command) => command.helpGroup())];
}

/** Examples under a heading, their meanings in one column. */
export function renderExamples(examples: readonly Example[]): string {
  const width = Math.max(
    ...examples.filter(([, meaning]) => meaning !== '').map(([command]) => command.length),
  );
  return [
    'Examples:',
    ...examples.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`.trimEnd()),
  ].join('\n');
}

function renderRootHelp(program: Command): string {
  const groups = commandsByGroup(program).map(
    ([group, commands]) => `  ${group.padEnd(8)}  ${commands.map((command) => command.name()).join(', ')}`,
  );
  const codes = EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`);
  return [
    'Usage: ralph run [task...] [options]       ralph "task" is the same',
    '',
    program.description(),
    '',
    'Commands (options: ralph <command> --help, version: ralph --version):',
    ...groups,
    '',
    renderExamples(ROOT_EXAMPLES),
    '',
    `Exit codes: ${codes.slice(0, 6).join(', ')},`,
    `  ${codes.slice(6).join(', ')}.`,
    '',
  ].join('\n');
}

/** Commander lists the allowed choices; this adds the one that was probably meant. */
function withNearestChoice(text: string): string {
  const found = /(?:argument|value) '([^']*)' is invalid.*\. Allowed choices are (.+)\./.exec(text);
  const near = found === null ? undefined : nearest(found[1]!, found[2]!.split(', '));
  return near === undefined ? text : `${text.trimEnd()}\n(Did you mean ${near}?)\n`;
}
