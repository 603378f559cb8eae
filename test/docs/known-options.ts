import type { Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

const program = createProgram([]);

/**
 * The first command or option of a `ralph …` line that the program does not have, as in `run --modle`. Undefined if all are
 * known, or if the line calls another program.
 */
export function unknownNameIn(line: string): string | undefined {
  const call = /(?:^|[;&|(]\s*|\bdo\s+)ralph\s+([^;&|#]*)/.exec(line.replace(/"[^"]*"|'[^']*'/g, 'text'));
  if (call === null) return undefined;
  const words = call[1]!
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  let command: Command = program;
  let isValue = false;
  for (const word of words) {
    if (isValue) {
      isValue = false;
      continue;
    }
    // What follows is passed on to `ralph run`.
    if (word === '--') command = program.commands.find((one) => one.name() === 'run')!;
    const inner = command.commands.find((one) => one.name() === word);
    if (inner !== undefined) command = inner;
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => [long, short].includes(word.split('=')[0]));
      if (option === undefined && word !== '--') return `${command.name()} ${word}`;
      isValue = option?.required === true && !word.includes('=');
    } else if (command === program || command.commands.length > 0)
      return command === program && word === 'text' ? undefined : word;
  }
  return undefined;
}

function optionsOf(command: Command): readonly Option[] {
  const run = program.commands.find((one) => one.name() === 'run')!;
  return command.createHelp().visibleOptions(command === program ? run : command);
}
