/** A script that a command runs in packages of the workspace. */
export interface PackageCall {
  readonly script: string;
  readonly args: readonly string[];
  /** Names, paths or path patterns of the packages; all if absent. */
  readonly only?: readonly string[];
}

const NO_VALUE = { filter: [], words: [] };

/**
 * The scripts that a command runs in packages of the workspace: `npm test --workspaces`, `npm run build -w a`,
 * `pnpm -r test`, `pnpm --filter a test`, `yarn workspace a test`, `yarn workspaces run test`, `lerna run test`,
 * `turbo run test lint`, `nx run-many -t test`. Undefined for every other command, and for a filter that needs the graph
 * of the packages.
 */
export function packageCallsOf(words: readonly string[]): PackageCall[] | undefined {
  const [program, ...rest] = words;
  if (program === 'npm') return managerCalls(rest, ['-w', '--workspace'], ['-ws', '--workspaces']);
  if (program === 'pnpm') return managerCalls(rest, ['-F', '--filter'], ['-r', '--recursive']);
  if (program === 'bun') return managerCalls(rest, ['-F', '--filter'], []);
  if (program === 'yarn') return yarnCalls(rest);
  if (program === 'lerna') return taskCalls(rest, ['--scope'], 'run');
  if (program === 'turbo')
    return taskCalls(rest[0] === 'run' ? rest : ['run', ...rest], ['-F', '--filter'], 'run');
  if (program === 'nx') return nxCalls(rest);
  return undefined;
}

interface Parsed {
  readonly filter: readonly string[];
  /** Words that are neither options nor values, up to `--`. */
  readonly words: readonly string[];
}

/** Splits the words at the options that select packages; other options are left out. */
function parse(words: readonly string[], filters: readonly string[]): Parsed {
  const dashes = words.indexOf('--');
  const own = dashes === -1 ? words : words.slice(0, dashes);
  return own.reduce<Parsed>((parsed, word, at) => {
    const [, name, value] = /^(--?[\w-]+)=(.*)$/.exec(word) ?? [];
    if (name !== undefined)
      return filters.includes(name) ? { ...parsed, filter: [...parsed.filter, value!] } : parsed;
    if (filters.includes(own[at - 1] ?? '')) return { ...parsed, filter: [...parsed.filter, word] };
    return word.startsWith('-') ? parsed : { ...parsed, words: [...parsed.words, word] };
  }, NO_VALUE);
}

function managerCalls(
  words: readonly string[],
  filters: readonly string[],
  all: readonly string[],
): PackageCall[] | undefined {
  const {
    filter,
    words: [first, second],
  } = parse(words, filters);
  if (filter.length === 0 && !words.some((word) => all.includes(word))) return undefined;
  const isRun = first === 'run' || first === 'run-script';
  const script = isRun ? second : first === 't' ? 'test' : first;
  return callsOf(script === undefined ? [] : [script], filter, words);
}

function yarnCalls([first, second, ...rest]: readonly string[]): PackageCall[] | undefined {
  if (first === 'workspace' && second !== undefined) {
    const [script, inner] = rest;
    return callsOf([(script === 'run' ? inner : script) ?? ''], [second], rest);
  }
  if (first !== 'workspaces') return undefined;
  const run = second === 'run' ? -1 : rest.indexOf('run');
  if (second !== 'run' && (second !== 'foreach' || run === -1)) return undefined;
  return callsOf(rest.slice(run + 1, run + 2), [], rest);
}

function taskCalls(
  words: readonly string[],
  filters: readonly string[],
  mode: string,
): PackageCall[] | undefined {
  const {
    filter,
    words: [first, ...scripts],
  } = parse(words, filters);
  return first === mode ? callsOf(scripts, filter, words) : undefined;
}

function nxCalls(words: readonly string[]): PackageCall[] | undefined {
  if (words[0] !== 'run-many') return undefined;
  const targets = parse(words, ['-t', '--target', '--targets']).filter.flatMap((it) => it.split(','));
  const only = parse(words, ['-p', '--projects']).filter.flatMap((it) => it.split(','));
  return callsOf(targets, only, words);
}

function callsOf(
  scripts: readonly string[],
  filter: readonly string[],
  words: readonly string[],
): PackageCall[] | undefined {
  const named = scripts.filter((script) => script !== '');
  if (named.length === 0 || filter.some((it) => /\.\.\.|[[\]!^{}]/.test(it))) return undefined;
  const dashes = words.indexOf('--');
  const args = dashes === -1 ? [] : words.slice(dashes + 1);
  const only = filter.some((it) => it === '*') || filter.length === 0 ? undefined : filter;
  return named.map((script) => ({ script, args, only }));
}
