/** What code can learn about the place, the moment and the process in which it runs, and which of it is no such thing. */

/** Members of `process` that tell nothing about where code runs, or that only act. */
const OF_EVERY_PROCESS = new Set([
  ...['nextTick', 'emitWarning', 'exit', 'exitCode', 'abort', 'kill', 'on', 'once', 'off', 'addListener'],
  ...['removeListener', 'platform', 'arch'],
]);
const CONSOLE_CALLS = new Set([
  ...[
    'log',
    'info',
    'warn',
    'error',
    'debug',
    'trace',
    'table',
    'dir',
    'group',
    'groupEnd',
    'groupCollapsed',
  ],
  ...['time', 'timeEnd', 'timeLog', 'count', 'countReset', 'assert', 'clear'],
]);
/** Members of Node's modules that tell nothing about where code runs, or that only act. */
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  os: new Set(['EOL', 'constants', 'platform', 'arch', 'type', 'endianness']),
  async_hooks: new Set(['AsyncLocalStorage', 'AsyncResource']),
  worker_threads: new Set([
    'Worker',
    'MessageChannel',
    'MessagePort',
    'BroadcastChannel',
    'workerData',
    'parentPort',
  ]),
  module: new Set(['createRequire', 'builtinModules', 'isBuiltin']),
};
const TELLING_MODULES =
  /^(os|child_process|worker_threads|async_hooks|v8|vm|inspector|perf_hooks|module|cluster|diagnostics_channel|trace_events|repl|tty|fs|fs\/promises)$/;
const WRITES =
  /^(write|append|mkdir|rm|unlink|rename|copyFile|cp|chmod|chown|utimes|symlink|link|truncate|create(Write|Read)Stream|constants|promises$|close|watch)/;
/** Names that exist in browsers only; code for both sides looks for them. */
const OF_BROWSERS = /^(window|document|location|localStorage|sessionStorage|self|HTML\w*|customElements)$/;
const OF_MODULES = new Set([
  'require',
  'module',
  'exports',
  'arguments',
  'undefined',
  'React',
  'h',
  'Fragment',
]);
const OF_THE_LANGUAGE: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

/** Functions of the module `crypto` whose result is drawn. */
export const CHANCE_CALLS = /^(random(Int|Bytes|UUID|Fill(Sync)?)|getRandomValues|pseudoRandomBytes)$/;

/** A name of what a global variable tells, with the member that is read; undefined if it tells nothing. */
export function toldByGlobal(name: string, member: string | undefined): string | undefined {
  if (name === 'process') return toldByProcess(member);
  if (name === 'console') return member !== undefined && CONSOLE_CALLS.has(member) ? undefined : 'console';
  if (name === 'performance' || name === 'Temporal') return 'the clock';
  if (name === 'eval' || name === 'Function') return 'evaluated code';
  if (name === 'navigator') return 'navigator';
  if (name === '__dirname' || name === '__filename') return name;
  if (OF_BROWSERS.test(name) || OF_MODULES.has(name) || OF_THE_LANGUAGE.has(name)) return undefined;
  return `the global ${name}`;
}

function toldByProcess(member: string | undefined): string | undefined {
  if (member === undefined) return 'process';
  return OF_EVERY_PROCESS.has(member) ? undefined : `process.${member}`;
}

/** A name of what a member of one of Node's modules tells; undefined if it tells nothing. */
export function toldByModule(module: string, member: string | undefined): string | undefined {
  const name = module.replace(/^node:/, '');
  if (name === 'process') return toldByProcess(member);
  if (name === 'crypto') return CHANCE_CALLS.test(member ?? '') ? 'chance' : undefined;
  if (name === 'util') return member === 'getCallSites' ? 'the call stack' : undefined;
  if (!TELLING_MODULES.test(name)) return undefined;
  if (member === undefined) return undefined;
  if (HARMLESS[name]?.has(member) === true || (name.startsWith('fs') && WRITES.test(member)))
    return undefined;
  if (name === 'perf_hooks') return 'the clock';
  return `${name.replace('/', '.')}.${member}`;
}

/** True for one variable of the environment. */
export function isVariable(what: string): boolean {
  return what.startsWith('process.env.');
}

/** True for paths of the code itself: it needs them to find its files, so that only what is decided by them counts. */
export function isPath(what: string): boolean {
  return /^(import\.meta\.(url|dirname|filename)|__dirname|__filename|process\.cwd|os\.(tmpdir|homedir))$/.test(
    what,
  );
}

const STARTS_PROGRAMS = String.raw`spawn|exec|fork|execa|\$\``;
/** Words in a test by which it decides itself what code reads there. */
const DECIDED_BY: readonly (readonly [what: RegExp, words: string])[] = [
  [/^process\.(argv|execArgv|stdin|stdout|stderr)/, `argv|std(in|out|err)|${STARTS_PROGRAMS}`],
  [/^process\.cwd$/, `cwd|chdir|mkdtemp|${STARTS_PROGRAMS}`],
  [/^process\.env$/, `\\benv\\b|stubEnv|${STARTS_PROGRAMS}`],
  [
    /^the clock$/,
    String.raw`Date|[Tt]imer|setTimeout|[Cc]lock|\bnow\b|sleep|delay|performance|advance|Temporal`,
  ],
  [/^chance$/, 'random'],
  [/^fs/, String.raw`\bfs\b|readFile|writeFile|mkdtemp|existsSync|[Ff]ixture|__dirname|tmpdir`],
  [/^child_process/, STARTS_PROGRAMS],
  [/^the call stack$/, 'stack'],
  [/^weak references$/, String.raw`WeakRef|\bgc\b`],
  [/^import\.meta\.env/, 'import\\.meta\\.env|stubEnv'],
];

/** True if the text of a test shows that it decides what the code reads there, such as a variable that it sets. */
export function isDecidedBy(what: string, testText: string): boolean {
  const [, words] = DECIDED_BY.find(([pattern]) => pattern.test(what)) ?? [];
  if (words !== undefined && new RegExp(words).test(testText)) return true;
  const name = /[\w$]+$/.exec(what)![0];
  return (
    !/^(clock|stack|code|process|import|function|globals|environment)$/.test(name) &&
    new RegExp(`\\b${name}\\b`).test(testText)
  );
}
