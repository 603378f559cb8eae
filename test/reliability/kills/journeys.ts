import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordOf } from '../../bench/datasets/humanevalfix/sample.ts';
import { ralph, type Files, type ProcessResult, type TestRepository } from '../durability/test-repository.ts';

/** A use of the program that is killed at a random moment and then tried again. */
export interface Journey {
  readonly name: string;
  readonly files: Files;
  /** What a user does before. */
  readonly prepare?: (repository: TestRepository) => Promise<void>;
  /** Arguments of the program that is killed. */
  readonly args: readonly string[];
  /** What a user does after the kill. */
  readonly again: (repository: TestRepository) => Promise<ProcessResult>;
  /** Files that the program may change; each is then as before or as after. */
  readonly delivers: readonly string[];
  /** One line for each expectation that does not hold in the end. */
  readonly problems: (repository: TestRepository, ended: ProcessResult) => string[];
}

const FILES: Files = {
  'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
  'src/price.txt': 'wrong\n',
  'src/other.txt': 'wrong\n',
};
const CHECK = ['--check', 'tests=grep -q right src/price.txt'];
/** Wrong in the first attempt, right in the second. It leaves a child behind if nobody ends it. */
const ACTOR =
  'sleep 300 & if [ "$RALPH_ITERATION" = 1 ]; then echo guessed > src/price.txt; else echo right > src/price.txt; fi';
const QUIET = ['--format', 'jsonl', '--quiet'];
const RUN = ['run', 'set the price', ...CHECK, '--command', ACTOR, ...QUIET];
const TASKS = [
  '- [ ] set the price `accept: grep -q right src/price.txt`',
  '- [ ] set the other `accept: grep -q right src/other.txt`\n',
].join('\n');
const TASK_ACTOR =
  'if grep -q "set the other" "$RALPH_PROMPT_FILE"; then echo right > src/other.txt; else echo right > src/price.txt; fi';
const RUN_TASKS = ['run', '--tasks', 'TODO.md', '--check', 'tests=true', '--command', TASK_ACTOR, ...QUIET];

/** `ralph resume`; where there is nothing yet to be resumed, the program again. The kill may have come after the end. */
async function resumeOr(args: readonly string[], repository: TestRepository): Promise<ProcessResult> {
  const resumed = await ralph(repository, ['resume', ...QUIET]);
  if (resumed.exitCode !== 2) return resumed;
  if (/is finished/.test(resumed.stderr)) return { ...resumed, exitCode: 0 };
  return /No loop has run|nothing to resume/.test(resumed.stderr) ? ralph(repository, args) : resumed;
}

const textOf = ({ root }: TestRepository, path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

const expectCode = (ended: ProcessResult, code: number): string[] =>
  ended.exitCode === code ? [] : [`it ended with ${ended.exitCode}: ${ended.stderr.slice(-400)}`];

/** The uses that are killed. */
export const JOURNEYS: readonly Journey[] = [
  {
    name: 'run',
    files: FILES,
    args: RUN,
    again: (repository) => resumeOr(RUN, repository),
    delivers: ['src/price.txt'],
    problems: (repository, ended) => [
      ...expectCode(ended, 0),
      ...(textOf(repository, 'src/price.txt') === 'right\n' ? [] : ['the result is not applied']),
    ],
  },
  {
    name: 'run --tasks',
    files: { ...FILES, 'TODO.md': TASKS },
    args: RUN_TASKS,
    again: (repository) => ralph(repository, RUN_TASKS),
    delivers: ['src/price.txt', 'src/other.txt', 'TODO.md'],
    problems: (repository, ended) => [
      ...expectCode(ended, 0),
      ...['src/price.txt', 'src/other.txt'].flatMap((path) =>
        textOf(repository, path) === 'right\n' ? [] : [`${path} is not applied`],
      ),
      ...(textOf(repository, 'TODO.md') === TASKS.replaceAll('[ ]', '[x]') ? [] : ['TODO.md is not ticked']),
    ],
  },
  {
    name: 'gate check',
    files: {
      ...FILES,
      'src/price.txt': 'right\n',
      'ralph.config.json': '{ "checks": { "tests": "sleep 0.3; grep -q right src/price.txt" } }\n',
    },
    async prepare(repository) {
      const { exitCode, stderr } = await ralph(repository, ['gate', 'start']);
      if (exitCode !== 0) throw new Error(`ralph gate start ended with ${exitCode}: ${stderr}`);
      writeFileSync(join(repository.root, 'src/price.txt'), 'still wrong\n');
    },
    args: ['gate', 'check'],
    again: (repository) => ralph(repository, ['gate', 'check']),
    delivers: [],
    problems: (_, ended) => expectCode(ended, 1),
  },
  {
    name: 'bench humanevalfix',
    files: { 'problems.jsonl': `${JSON.stringify(recordOf())}\n` },
    args: ['bench', 'humanevalfix', 'problems.jsonl', '--budget', '8'],
    again: (repository) => ralph(repository, ['bench', 'humanevalfix', 'problems.jsonl', '--budget', '8']),
    delivers: [],
    problems: (_, ended) => [
      ...expectCode(ended, 0),
      ...(/ repaired /.test(ended.stdout)
        ? []
        : [`the problem was not repaired: ${ended.stdout.slice(-300)}`]),
    ],
  },
];
