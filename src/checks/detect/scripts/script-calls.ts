import { shellWord } from '../../../platform/processes/shell-words.ts';

/** A script of the same package, or a command line, that a command runs. */
export type ScriptCall =
  | { readonly script: string; readonly args: readonly string[]; readonly hooks: boolean }
  | { readonly line: string };

const MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const RUN_WORDS = new Set(['run', 'run-script', 'rum', 'urn']);
const TEST_WORDS = new Set(['test', 't', 'tst']);
/** Options by which a script runs in other packages. */
const ELSEWHERE =
  /^(-w|--workspace|--workspaces|-ws|--prefix|-C|--dir|--cwd|-r|--recursive|-F|--filter|--include-workspace-root)(=|$)/;

/**
 * The scripts of this package that a command runs, in order, read from `npm run x -- …`, `yarn x`,
 * `pnpm run "/^test:/"`, `run-s a b:*`, `concurrently "npm:a" "…"`, `node --run x`. `undefined` for every other command, and for
 * one that names a missing script.
 */
export function scriptCallsOf(
  words: readonly string[],
  scripts: Readonly<Record<string, string>>,
): ScriptCall[] | undefined {
  const [program = '', ...rest] = words;
  const calls = callsOf(program, rest, Object.keys(scripts));
  const known = calls?.every((call) => 'line' in call || Object.hasOwn(scripts, call.script)) ?? false;
  return known && calls!.length > 0 ? calls : undefined;
}

function callsOf(
  program: string,
  args: readonly string[],
  names: readonly string[],
): ScriptCall[] | undefined {
  if (MANAGERS.has(program)) return managerCall(program, args, names);
  if (program === 'run-s' || program === 'run-p' || program.startsWith('npm-run-all'))
    return runAll(args, names);
  if (program === 'concurrently' || program === 'conc') return concurrently(args, names);
  if (program === 'node') return nodeRun(args);
  return undefined;
}

function managerCall(
  manager: string,
  args: readonly string[],
  names: readonly string[],
): ScriptCall[] | undefined {
  const dashes = args.indexOf('--');
  const own = dashes === -1 ? args : args.slice(0, dashes);
  if (own.some((word) => ELSEWHERE.test(word))) return undefined;
  const [first, ...others] = args.filter((word, at) => !(word.startsWith('-') && isOwnOption(args, at)));
  if (first === undefined) return undefined;
  if (RUN_WORDS.has(first)) return manager === 'pnpm' ? pnpmRun(others, names) : scriptCall(manager, others);
  if (TEST_WORDS.has(first) && manager !== 'bun') return scriptCall(manager, ['test', ...others]);
  return manager !== 'npm' && first !== 'test' && names.includes(first)
    ? scriptCall(manager, [first, ...others])
    : undefined;
}

/** Options before the script's name belong to the package manager, and so do a few of npm's behind it. */
function isOwnOption(args: readonly string[], at: number): boolean {
  const before = args.slice(0, at).filter((word) => !word.startsWith('-') && !RUN_WORDS.has(word));
  return before.length === 0 || ['-s', '--silent', '--if-present'].includes(args[at]!);
}

function scriptCall(manager: string, words: readonly string[]): ScriptCall[] | undefined {
  const [script, ...rest] = words;
  if (script === undefined) return undefined;
  const dashes = rest.indexOf('--');
  const args =
    dashes !== -1
      ? [...rest.slice(0, dashes), ...rest.slice(dashes + 1)]
      : rest.filter((word) => manager !== 'npm' || !word.startsWith('-'));
  return [{ script, args, hooks: true }];
}

/** A pattern between slashes, as in `pnpm run "/^test:/"`, runs every script that it matches. */
function pnpmRun(words: readonly string[], names: readonly string[]): ScriptCall[] | undefined {
  const [, source] = /^\/(.+)\/$/.exec(words[0] ?? '') ?? [];
  const pattern = source === undefined ? undefined : patternOf(source);
  if (pattern === undefined) return scriptCall('pnpm', words);
  const matching = names.filter((name) => pattern.test(name));
  return matching.flatMap((name) => scriptCall('pnpm', [name, ...words.slice(1)]) ?? []);
}

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

function runAll(args: readonly string[], names: readonly string[]): ScriptCall[] {
  const valued = ['--max-parallel', '--npm-path'];
  const tasks = args.filter((word, at) => !word.startsWith('-') && !valued.includes(args[at - 1] ?? ''));
  return tasks.flatMap((task) => {
    const [pattern = '', ...rest] = task.split(/\s+/);
    return namesLike(pattern, names).map((script) => ({
      script,
      args: rest.filter((word) => word !== '--'),
      hooks: true,
    }));
  });
}

function concurrently(args: readonly string[], names: readonly string[]): ScriptCall[] {
  const valued =
    /^(-n|--names|-c|--prefix-colors|-p|--prefix|-s|--success|-l|--prefix-length|-m|--max-processes)$/;
  const tasks = args.filter((word, at) => !word.startsWith('-') && !valued.test(args[at - 1] ?? ''));
  return tasks.flatMap((task): ScriptCall[] => {
    const pattern = /^(?:npm|pnpm|yarn|bun):(\S+)$/.exec(task)?.[1];
    if (pattern === undefined) return [{ line: task }];
    return namesLike(pattern, names).map((script) => ({ script, args: [], hooks: true }));
  });
}

function nodeRun(args: readonly string[]): ScriptCall[] | undefined {
  const at = args.findIndex((word) => word === '--run' || word.startsWith('--run='));
  const script = at === -1 ? undefined : (args[at]!.split('=')[1] ?? args[at + 1]);
  return script === undefined ? undefined : [{ script, args: [], hooks: false }];
}

/** Script names that match a pattern of npm-run-all: `*` stops at a colon, `**` does not. */
function namesLike(pattern: string, names: readonly string[]): string[] {
  if (!pattern.includes('*')) return [pattern];
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^:]*' : escapePattern(part)))
    .join('');
  return names.filter((name) => new RegExp(`^${source}$`).test(name));
}

/** A script's text, with the arguments of a call added to its last command. */
export function withArguments(text: string, args: readonly string[]): string {
  return [text, ...args.map(shellWord)].join(' ');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}
