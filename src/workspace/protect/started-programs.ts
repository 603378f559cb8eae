import { posix } from 'node:path';
import type { CommandPlan } from '../../ports/plan.ts';
import type { TreeFile } from '../snapshots/snapshots.ts';

/** Files that `make`, `just` and `task` look for. */
export const BUILD_FILES: readonly string[] = [
  'GNUmakefile',
  'makefile',
  'Makefile',
  'justfile',
  'Justfile',
  'Taskfile.yml',
  'Taskfile.yaml',
];
export const BUILD_CALL = /(^|[\s;&|(])(make|gmake|just|task)(\s|$)/;
/** What a command compares with. */
export const DATA = /\.(json5?|jsonl|txt|csv|tsv|ya?ml|xml|html|golden|expected|out)$/;
const COMPARES = /^(diff|cmp|comm)$/;

const INTERPRETER =
  /^(?:(?:ba|z|da|k)?sh|node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|source|\.|env|exec|time|npx|c8|nyc|xargs|sudo)$/;
/** An option whose value is a program, before it or in one word with it. */
const LOADS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--file|--test-reporter|--test-global-setup|--env-file(?:-if-exists)?)$/;
/** What stands between a name and the file that is meant by it. */
export const ENDINGS = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.json',
  '/index.js',
  '/index.ts',
];

/** Files that a line runs: programs of its commands, scripts of interpreters, modules that options load. */
export function filesIn(line: CommandPlan, files: ReadonlyMap<string, TreeFile>): string[] {
  const { run, loaded } = startedBy(line, files);
  return [...run, ...loaded];
}

/** Paths of the programs and modules that a line names, whether they exist or not. */
export function namedPrograms({ command, cwd }: CommandPlan): string[] {
  const parts = command
    .split(/[;&|()\n]+/)
    .map((part) => programsIn(part.split(/[\s'"`<>$]+/).filter(Boolean)));
  return parts
    .flatMap(({ run, loaded }) => [...run, ...loaded])
    .filter((word) => /\.\w+$/.test(word))
    .map((word) => posix.join(cwd, word))
    .filter((path) => !path.startsWith('..'));
}

/** Files that a line runs, with Makefiles, and modules that an option loads before them. */
export function startedBy(
  { command, cwd }: CommandPlan,
  files: ReadonlyMap<string, TreeFile>,
): {
  readonly run: readonly string[];
  readonly loaded: readonly string[];
  readonly tests: readonly string[];
} {
  const parts = command
    .split(/[;&|()\n]+/)
    .map((part) => programsIn(part.split(/[\s'"`<>$]+/).filter(Boolean)));
  const found = (words: readonly string[]): string[] =>
    words.flatMap(
      (word) => ENDINGS.map((end) => posix.join(cwd, word) + end).find((name) => files.has(name)) ?? [],
    );
  return {
    run: found([...parts.flatMap(({ run }) => run), ...(BUILD_CALL.test(command) ? BUILD_FILES : [])]),
    loaded: found(parts.flatMap(({ loaded }) => loaded)),
    tests: found(parts.flatMap(({ run, isTestRun }) => (isTestRun ? run : []))),
  };
}

interface Programs {
  /** Programs, and files that they compare with. */
  readonly run: readonly string[];
  /** Values of options that load a module. */
  readonly loaded: readonly string[];
  /** True if what is run are tests: `node --test`. */
  readonly isTestRun: boolean;
}

/** The words of one command that name a program, a file that it compares with, or a module that it loads. */
function programsIn(words: readonly string[]): Programs {
  const isTestRun = words.includes('--test');
  const compared = COMPARES.test(words[0] ?? '') ? words.filter((word) => DATA.test(word)) : undefined;
  if (compared !== undefined) return { run: compared, loaded: [], isTestRun };
  if (words[0] === 'grep')
    return { run: words.filter((_, at) => /^-\w*f$/.test(words[at - 1] ?? '')), loaded: [], isTestRun };
  const [run, loaded]: [string[], string[]] = [[], []];
  let [isProgram, isValue] = [true, false];
  for (const whole of words) {
    // NODE_OPTIONS=--import=./x.mjs
    const word = whole.replace(/^\w+=(?=-)/, '');
    const [, option, value] = /^(--?[\w-]+)=(.+)$/.exec(word) ?? [];
    if (/^!$|^\w+=/.test(word)) continue;
    if (isValue) loaded.push(word);
    else if (value !== undefined && LOADS.test(option!)) loaded.push(value);
    else if (INTERPRETER.test(word)) isProgram = true;
    else if (isProgram && !word.startsWith('-')) {
      run.push(word);
      isProgram = false;
    }
    isValue = !isValue && LOADS.test(word);
  }
  return { run, loaded, isTestRun };
}
