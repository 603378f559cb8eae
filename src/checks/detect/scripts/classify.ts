import { join } from 'node:path';
import { toolInstalledBy, toolOf, tools, toolStartedBy, type ToolName, type ToolOf } from '../../../tools.ts';
import { isWatching, keepArguments, operandsOf } from '../../run/option-rules.ts';
import { declaresNodeTests } from '../test-files.ts';
import { checksFiles, emitsFiles } from '../tsconfig.ts';
import type { Unwrapped } from './wrappers.ts';

/** Name of a test runner that has a row in the table of tools. */
export type Runner = ToolOf<'tests'>;

/**
 * The purpose of a command. `runner`: a test runner of the table; `test-program`: runs tests and is judged by its
 * exit code; `format`: a formatter that only checks; `quality`: package hygiene; `nothing`: prints text, or stands for "no tests"; `other`:
 * a build, or unknown.
 */
export type CommandKind =
  | { readonly kind: 'runner'; readonly program: Runner }
  | {
      readonly kind: 'types' | 'lint' | 'format' | 'quality' | 'test-program' | 'nothing' | 'other';
      readonly program: string;
    };

/** A classified command. */
export type Classified = CommandKind & {
  /** The arguments that a check keeps; for programs without a row in the table of tools, all of them. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Waits for changes and never exits. */
  readonly watches: boolean;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const TYPE_CHECKERS = words('vue-tsc tsgo svelte-check glint tsd tstyche check-dts dtslint expect-type attw');
const LINTERS = words(
  'xo standard standardx ts-standard semistandard neostandard oxlint tslint quick-lint-js',
);
const QUALITY = words(`stylelint remark publint knip depcheck size-limit ls-lint cspell markdownlint
  markdownlint-cli2 syncpack manypkg sherif madge commitlint lockfile-lint secretlint type-coverage api-extractor alex editorconfig-checker`);
const FORMATTERS = words('prettier oxfmt dprint');
/** Options and modes by which a formatter only checks. */
const CHECKS_FORMAT = words('--check -c --list-different -l check');
/** Options by which a program that usually writes files only checks them. */
const CHECKS_ONLY = words('--check --list-different --dry-run');
const NOTHING = words(
  'echo printf true : exit set clear sleep codecov coveralls nyc c8 cat date pwd whoami uname',
);
const PRINTS_VERSION = /^(node|npm|pnpm|yarn|bun) (-v|--version)$/;
const TEST_PROGRAMS =
  words(`tape tap uvu qunit jasmine karma cypress playwright testcafe wtr web-test-runner lab
  cucumber-js nightwatch wdio testem zora pta poku borp ts-mocha mochapack electron-mocha jasmine-ts bats
  mocha-headless-chrome start-server-and-test`);
/** Programs that run tests when their first operand begins with `test`. */
const TESTS_BY_WORD =
  /^(react-scripts|craco|react-app-rewired|ng|bun|deno|hardhat|aegir|ember|wp-scripts|lb-mocha)$/;
const SCRIPT_RUNNERS = words('node tsx ts-node bun');
/** A file or folder that is named like tests. */
const TEST_PATH = /(^|\/)(tests?|specs?|__tests__)(\/|\.[cm]?[jt]sx?$|$)|[.-](test|spec)\.[cm]?[jt]sx?$/;

/** Classifies an unwrapped command that runs in `dir` (absolute). */
export function classifyCommand(command: Unwrapped, dir: string): Classified {
  const [program = '', ...args] = command.words;
  const { env } = command;
  if (program === 'node') return classifyNode(command, dir);
  if (program === 'tsx' && (args.includes('--test') || isNodeTestScript(args, dir)))
    return classifyTsx(args, env);
  const tool = toolStartedBy(program);
  if (tool !== undefined) return classifyTool(tool, { args, env, dir });
  return { kind: kindOf(program, args), program, args, env, watches: false };
}

type Env = Readonly<Record<string, string>>;

interface ToolCall {
  readonly args: readonly string[];
  readonly env: Env;
  readonly dir: string;
}

function classifyTool(tool: ToolName, { args, env, dir }: ToolCall): Classified {
  const { options } = toolOf(tool);
  const watches = isWatching(options, args);
  const kept = keepArguments(options, args);
  if (tool === 'tsc') {
    // The arguments stay as written: `-b` and its projects are read later.
    const isCheck = checksFiles(args) && !emitsFiles(args, dir);
    return { kind: isCheck ? 'types' : 'other', program: tool, args, env, watches };
  }
  if (!isRunner(tool)) {
    const kind = toolOf(tool).kind === 'types' ? 'types' : 'lint';
    return { kind, program: tool, args: kept, env, watches };
  }
  const isOtherMode = options.otherModes?.includes(args[0] ?? '') === true;
  if (isOtherMode) return { kind: 'test-program', program: tool, args, env, watches: false };
  return { kind: 'runner', program: tool, args: kept, env, watches };
}

function isRunner(tool: ToolName): tool is Runner {
  return tools[tool].kind === 'tests';
}

function classifyTsx(args: readonly string[], env: Env): Classified {
  const at = args.indexOf('--tsconfig');
  const rest = at === -1 ? args : args.toSpliced(at, 2);
  const tsconfig: Env = at === -1 ? {} : { TSX_TSCONFIG_PATH: args[at + 1] ?? '' };
  return classifyNodeTest(['--import', 'tsx', ...rest], { ...env, ...tsconfig });
}

/** `node [options] --test`, `node [options] node_modules/<runner>/…`, or any other script. */
function classifyNode(command: Unwrapped, dir: string): Classified {
  const args = command.words.slice(1);
  if (args.includes('--test') || isNodeTestScript(args, dir)) return classifyNodeTest(args, command.env);
  const at = args.findIndex((word) => /(^|\/)node_modules\//.test(word));
  const program = at === -1 ? undefined : programIn(args[at]!);
  const options = args.slice(0, Math.max(at, 0));
  if (program === undefined || !options.every(isOptionOrValue)) {
    const watches = args.includes('--watch');
    return { kind: kindOf('node', args), program: 'node', args, env: command.env, watches };
  }
  const nodeOptions = [command.env['NODE_OPTIONS'], ...options].filter((it) => it !== undefined).join(' ');
  const env = nodeOptions === '' ? command.env : { ...command.env, NODE_OPTIONS: nodeOptions };
  return classifyCommand({ words: [program, ...args.slice(at + 1)], env }, dir);
}

/** Whether the arguments of `node` name one file, and that file declares tests of `node:test`. */
function isNodeTestScript(args: readonly string[], dir: string): boolean {
  const operands = operandsOf(tools.node.options, args);
  return operands.length === 1 && TEST_PATH.test(operands[0]!) && declaresNodeTests(join(dir, operands[0]!));
}

function classifyNodeTest(args: readonly string[], env: Env): Classified {
  const { options } = tools.node;
  const watches = isWatching(options, args);
  return { kind: 'runner', program: 'node', args: keepArguments(options, args), env, watches };
}

/** The program that a file in node_modules belongs to, such as `tsc` for `node_modules/typescript/bin/tsc`. */
function programIn(path: string): string | undefined {
  const [, bin, packageName] = /node_modules\/(?:\.bin\/([^/]+)$|((?:@[^/]+\/)?[^/]+)\/)/.exec(path) ?? [];
  if (packageName === undefined) return bin;
  return toolInstalledBy(packageName) ?? packageName;
}

/** Whether a word may move into NODE_OPTIONS: Node refuses to start with an option that is not allowed there. */
function isOptionOrValue(word: string): boolean {
  if (!word.startsWith('-')) return true;
  return process.allowedNodeEnvironmentFlags.has(word.replace(/=.*$/s, ''));
}

function kindOf(program: string, args: readonly string[]): Exclude<CommandKind['kind'], 'runner'> {
  const words = SCRIPT_RUNNERS.has(program) ? operandsOf(tools.node.options, args) : args;
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  if (TYPE_CHECKERS.has(program)) return 'types';
  if (LINTERS.has(program)) return 'lint';
  if (program === 'biome') return biomeKind(first, args);
  if (program === 'gts') return first === 'lint' || first === 'check' || first === '' ? 'lint' : 'other';
  if (program === 'deno' && first === 'lint') return 'lint';
  if (FORMATTERS.has(program)) return args.some((word) => CHECKS_FORMAT.has(word)) ? 'format' : 'quality';
  // With this option it writes the declarations instead of comparing them.
  if (program === 'api-extractor' && args.includes('--local')) return 'other';
  if (QUALITY.has(program) || args.some((word) => CHECKS_ONLY.has(word))) return 'quality';
  if (NOTHING.has(program) || isInstall(program, first)) return 'nothing';
  if (PRINTS_VERSION.test([program, ...args].join(' '))) return 'nothing';
  if (TEST_PROGRAMS.has(program)) return 'test-program';
  if (TESTS_BY_WORD.test(program) && first.startsWith('test')) return 'test-program';
  return SCRIPT_RUNNERS.has(program) && TEST_PATH.test(first) ? 'test-program' : 'other';
}

function biomeKind(mode: string, args: readonly string[]): 'lint' | 'format' | 'quality' {
  if (mode !== 'format') return 'lint';
  return args.some((word) => word === '--write' || word === '--fix') ? 'quality' : 'format';
}

/** Installs are skipped: the workspace links the user's dependencies, so an install there would change them. */
function isInstall(program: string, first: string): boolean {
  if (program === 'husky' || (program === 'playwright' && first === 'install')) return true;
  const managers = ['npm', 'pnpm', 'yarn', 'bun'];
  return (
    managers.includes(program) && (/^(ci|install|i|add)$/.test(first) || (program === 'yarn' && first === ''))
  );
}
