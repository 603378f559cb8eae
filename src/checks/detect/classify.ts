import { isWatching, keepArguments } from './arguments.ts';
import { emitsFiles } from './tsconfig.ts';
import type { Unwrapped } from './wrappers.ts';

export type Runner = 'vitest' | 'jest' | 'mocha' | 'node' | 'ava';

/**
 * What a command is for. `test-program`: runs tests, in no way that we can read; `quality`: format and
 * package hygiene; `nothing`: prints, or stands for "no tests"; `other`: a build, or unknown.
 */
export type CommandKind =
  | { readonly kind: 'runner'; readonly program: Runner }
  | {
      readonly kind: 'types' | 'lint' | 'quality' | 'test-program' | 'nothing' | 'other';
      readonly program: string;
    };

export type Classified = CommandKind & {
  /** What a check keeps of the arguments where the program is a known one, else all of them. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** It waits for changes and never ends. */
  readonly watches: boolean;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const TYPE_CHECKERS = words('vue-tsc tsgo svelte-check glint tsd');
const LINTERS = words('xo standard ts-standard semistandard oxlint tslint quick-lint-js');
const QUALITY =
  words(`prettier oxfmt dprint stylelint publint attw knip depcheck size-limit ls-lint cspell markdownlint
  markdownlint-cli2 syncpack manypkg sherif madge commitlint lockfile-lint secretlint type-coverage api-extractor alex editorconfig-checker`);
/** Said to a program that builds or writes something otherwise. */
const CHECKS_ONLY = words('--check --list-different --dry-run');
const NOTHING = words('echo printf true : exit set clear sleep codecov coveralls nyc c8 cat');
const TEST_PROGRAMS =
  words(`tape tap uvu qunit jasmine karma cypress playwright testcafe wtr web-test-runner lab
  cucumber-js nightwatch wdio testem zora pta poku borp ts-mocha mochapack electron-mocha jasmine-ts bats
  mocha-headless-chrome start-server-and-test`);
/** Programs that test when their first word says so. */
const TESTS_BY_WORD =
  /^(react-scripts|craco|react-app-rewired|ng|bun|deno|hardhat|aegir|ember|wp-scripts|lb-mocha)$/;
const SCRIPT_RUNNERS = words('node tsx ts-node bun');
const TEST_PATH = /(^|\/)(tests?|specs?|__tests__)(\/|\.[cm]?[jt]sx?$|$)|[.-](test|spec)\.[cm]?[jt]sx?$/;

/** Says what an unwrapped command is for. `dir` is the absolute folder that it runs in. */
export function classifyCommand(command: Unwrapped, dir: string): Classified {
  const [program = '', ...args] = command.words;
  const { env } = command;
  if (program === 'vitest') return vitest(args, env);
  if (program === 'jest' || program === 'jest-cli') return known('jest', args, env);
  if (program === 'mocha' || program === '_mocha') return known('mocha', args, env);
  if (program === 'ava') return known('ava', args, env);
  if (program === 'node') return node(command, dir);
  if (program === 'tsx' && args.includes('--test')) return tsx(args, env);
  if (program === 'tsc') return tsc(args, env, dir);
  if (program === 'eslint') {
    return { kind: 'lint', program, args: keepArguments('eslint', args), env, watches: false };
  }
  return { kind: kindOf(program, args), program, args, env, watches: false };
}

type Env = Readonly<Record<string, string>>;

function known(program: Runner, args: readonly string[], env: Env): Classified {
  const watches = isWatching(program, args);
  return { kind: 'runner', program, args: keepArguments(program, args), env, watches };
}

function vitest(args: readonly string[], env: Env): Classified {
  const otherMode = /^(bench|list|init|related|typecheck)$/.test(args[0] ?? '');
  if (otherMode) return { kind: 'test-program', program: 'vitest', args, env, watches: false };
  return known('vitest', args, env);
}

function tsx(args: readonly string[], env: Env): Classified {
  const at = args.indexOf('--tsconfig');
  const rest = at === -1 ? args : args.toSpliced(at, 2);
  const tsconfig: Env = at === -1 ? {} : { TSX_TSCONFIG_PATH: args[at + 1] ?? '' };
  return known('node', ['--import', 'tsx', ...rest], { ...env, ...tsconfig });
}

function tsc(args: readonly string[], env: Env, dir: string): Classified {
  const watches = isWatching('tsc', args);
  if (emitsFiles(args, dir)) return { kind: 'other', program: 'tsc', args, env, watches };
  return { kind: 'types', program: 'tsc', args, env, watches };
}

/** `node [options] --test`, `node [options] node_modules/<runner>/…`, or any other script. */
function node(command: Unwrapped, dir: string): Classified {
  const args = command.words.slice(1);
  if (args.includes('--test')) return known('node', args, command.env);
  const at = args.findIndex((word) => /(^|\/)node_modules\//.test(word));
  const tool = at === -1 ? undefined : toolIn(args[at]!);
  const options = args.slice(0, Math.max(at, 0));
  if (tool === undefined || !options.every(isOptionOrValue)) {
    return {
      kind: kindOf('node', args),
      program: 'node',
      args,
      env: command.env,
      watches: args.includes('--watch'),
    };
  }
  const nodeOptions = [command.env['NODE_OPTIONS'], ...options].filter((it) => it !== undefined).join(' ');
  const env = nodeOptions === '' ? command.env : { ...command.env, NODE_OPTIONS: nodeOptions };
  return classifyCommand({ words: [tool, ...args.slice(at + 1)], env }, dir);
}

function toolIn(path: string): string | undefined {
  const [, bin, name] = /node_modules\/(?:\.bin\/([^/]+)$|((?:@[^/]+\/)?[^/]+)\/)/.exec(path) ?? [];
  const tool = bin ?? name;
  return tool === 'typescript' ? 'tsc' : tool;
}

/** What may move into NODE_OPTIONS: Node refuses to start with an option that is not allowed there. */
function isOptionOrValue(word: string): boolean {
  if (!word.startsWith('-')) return true;
  return process.allowedNodeEnvironmentFlags.has(word.replace(/=.*$/s, ''));
}

function kindOf(program: string, args: readonly string[]): Exclude<CommandKind['kind'], 'runner'> {
  const first = args.find((word) => !word.startsWith('-')) ?? '';
  if (TYPE_CHECKERS.has(program)) return 'types';
  if (LINTERS.has(program)) return 'lint';
  if (program === 'biome') return first === 'format' ? 'quality' : 'lint';
  if (program === 'deno' && first === 'lint') return 'lint';
  if (QUALITY.has(program) || args.some((word) => CHECKS_ONLY.has(word))) return 'quality';
  if (NOTHING.has(program) || isInstall(program, first)) return 'nothing';
  if (TEST_PROGRAMS.has(program)) return 'test-program';
  if (TESTS_BY_WORD.test(program) && first.startsWith('test')) return 'test-program';
  return SCRIPT_RUNNERS.has(program) && TEST_PATH.test(first) ? 'test-program' : 'other';
}

/** The dependencies are linked from the user's tree: installing in the workspace would change them there. */
function isInstall(program: string, first: string): boolean {
  if (program === 'husky' || (program === 'playwright' && first === 'install')) return true;
  const managers = ['npm', 'pnpm', 'yarn', 'bun'];
  return (
    managers.includes(program) && (/^(ci|install|i|add)$/.test(first) || (program === 'yarn' && first === ''))
  );
}
