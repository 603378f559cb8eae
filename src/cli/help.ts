import type { Command, Help } from 'commander';
import { nearest } from '../platform/text/nearest.ts';

/** Commands by what they are for. A command that is not named here is shown behind them. */
const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Set up': ['init', 'doctor', 'config', 'completion'],
  Run: ['run', 'evaluate', 'resume', 'ci'],
  Loops: ['list', 'status', 'logs', 'report', 'abort', 'apply', 'undo'],
  Memory: ['reflections', 'lessons', 'insights', 'playbook', 'memory', 'analyze', 'mcp'],
};
const OTHER = 'Measure';

/** Shown below the flags of `ralph --help`, in the man page and in the reference. */
export const ROOT_EXAMPLES = [
  ['ralph init && ralph doctor', 'set up, and see what would happen'],
  ['ralph run', 'repair whatever fails here, offline, with no key'],
  ['ralph run "make the cart round" --model anthropic/claude-sonnet-4-5', ''],
  ['ralph run --agent opencode', 'or --command "my-agent --stdin"'],
  ['ralph run --tasks TODO.md', 'a loop for each open item of a list'],
  ['ralph undo', 'take the last result back'],
] as const;

/** What the exit codes mean, in one line each. */
export const EXIT_CODES = [
  ['0', 'verified'],
  ['1', 'unverified'],
  ['2', 'usage'],
  ['3', 'budget'],
  ['4', 'workspace'],
  ['5', 'actor'],
  ['6', 'check could not run'],
  ['7', 'state damaged'],
  ['130/143', 'interrupted'],
] as const;

const RUN_EXAMPLES = [
  ['ralph run', 'whatever fails, offline'],
  ['ralph run "keep the cart sorted" --model openai/gpt-5 --max-cost 2', ''],
  ['ralph run --check tests="pytest --junitxml {report}"', 'other languages'],
  ['ralph run --tasks prd.json --parallel 2', 'user stories, two at a time'],
  ['ralph run --format json | jq .verified', 'for scripts'],
] as const;

/** `ralph --help` on one screen, options under headings, examples, and a suggestion for what is nearly right. */
export function arrangeHelp(program: Command): void {
  program.configureHelp({ formatHelp: formatWith(program) });
  program.configureOutput({
    outputError: (text, write) => write(withChoice(text.replace(/^error:/, 'ralph:'))),
  });
  program.commands
    .find((command) => command.name() === 'run')
    ?.addHelpText('after', `\n${exampleBlock(RUN_EXAMPLES)}`);
}

/** The commands that users see, by group, each once. */
export function commandsByGroup(program: Command): [group: string, commands: Command[]][] {
  const visible = program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help');
  const known = Object.values(COMMAND_GROUPS).flat();
  const named = Object.entries(COMMAND_GROUPS).map(([group, names]): [string, Command[]] => [
    group,
    names.flatMap((name) => visible.filter((command) => command.name() === name)),
  ]);
  return [...named, [OTHER, visible.filter((command) => !known.includes(command.name()))]];
}

type Format = (command: Command, helper: Help) => string;

function formatWith(program: Command): Format {
  const usual = program.createHelp().formatHelp;
  return (command, helper) =>
    command.parent === null ? rootHelp(command) : usual.call(helper, command, helper);
}

function rootHelp(program: Command): string {
  const groups = commandsByGroup(program).map(
    ([group, commands]) => `  ${group.padEnd(8)}  ${commands.map((command) => command.name()).join(', ')}`,
  );
  const codes = EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`);
  return [
    'Usage: ralph run [task...] [options]       ralph "task" is the same',
    '',
    program.description(),
    '',
    'Commands (ralph <command> --help tells more, ralph --version which it is):',
    ...groups,
    '',
    exampleBlock(ROOT_EXAMPLES),
    '',
    `Exit codes: ${codes.slice(0, 6).join(', ')},`,
    `  ${codes.slice(6).join(', ')}.`,
    '',
  ].join('\n');
}

function exampleBlock(examples: readonly (readonly [command: string, what: string])[]): string {
  const width = Math.max(...examples.filter(([, what]) => what !== '').map(([command]) => command.length));
  return [
    'Examples:',
    ...examples.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`.trimEnd()),
  ].join('\n');
}

/** Commander names the choices; the nearest is what was meant. */
function withChoice(text: string): string {
  const found = /(?:argument|value) '([^']*)' is invalid.*\. Allowed choices are (.+)\./.exec(text);
  const near = found === null ? undefined : nearest(found[1]!, found[2]!.split(', '));
  return near === undefined ? text : `${text.trimEnd()}\n(Did you mean ${near}?)\n`;
}
