import { shellWord } from '../../platform/processes/shell-words.ts';
import { fileLine, reportingLine } from './test-programs.ts';
import type { Step } from './scripts/step.ts';

/** Words in front of and behind the arguments of a runner, by which it reports its tests. `{report}` is a file of the run. */
const REPORTING: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  vitest: ['run', '--reporter=junit --outputFile={report} --coverage.enabled=false'],
  jest: ['', '--json --outputFile={report} --testLocationInResults --coverage=false'],
  mocha: ['', '--reporter=tap'],
  ava: ['', '--tap'],
  node: ['--test', '--test-reporter=tap'],
};

/** The command line of a step that runs tests, where tools are found through yarn alone. */
export function yarnLine(step: Step): string {
  return step.kind === 'runner' ? runnerLine(step) : throughYarn(reportingLine(step));
}

/** The command line that runs one test file of a step, with `{file}` in its place; undefined where none is known. */
export function yarnFileLine(step: Step): string | undefined {
  if (step.kind === 'runner')
    return step.args.every((word) => word.startsWith('-')) ? `${runnerLine(step)} {file}` : undefined;
  const line = fileLine(step);
  return line === undefined ? undefined : `yarn ${line}`;
}

/** A command of a script, with the programs of the packages on its PATH. */
export function throughYarn(line: string): string {
  return /^yarn\b/.test(line) ? line : `yarn exec ${shellWord(line)}`;
}

function runnerLine({ program, args }: Step): string {
  const [before, behind] = REPORTING[program] ?? ['', ''];
  const words = ['yarn', program, before, ...args.map(shellWord), behind];
  return words.filter((word) => word !== '').join(' ');
}
