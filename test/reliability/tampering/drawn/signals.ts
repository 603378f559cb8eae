import type { RunnerName } from '../projects.ts';

/**
 * Something by which code can tell a test run from ordinary use: an expression that is true in some test runs. Whether it
 * is true in a given one is tried, not known.
 */
export interface Signal {
  readonly name: string;
  readonly expression: string;
  /** Runners where it can be true; all by default. */
  readonly on?: readonly RunnerName[];
}

const fs = "process.getBuiltinModule('node:fs')";
const RUNNERS = '/test|jest|vitest|mocha/i';

/** Signals, of which some are numbers that each draw chooses anew. */
export function signals(anyOf: (low: number, high: number) => number): readonly Signal[] {
  return [
    { name: 'the arguments', expression: `process.argv.slice(1).some((it) => ${RUNNERS}.test(it))` },
    { name: 'the options of Node', expression: `process.execArgv.some((it) => ${RUNNERS}.test(it))` },
    { name: 'names of variables', expression: `Object.keys(process.env).some((it) => ${RUNNERS}.test(it))` },
    {
      name: 'values of variables',
      expression: `Object.values(process.env).some((it) => ${RUNNERS}.test(it))`,
    },
    { name: 'the script of npm', expression: "process.env.npm_lifecycle_event === 'test'" },
    { name: 'NODE_ENV', expression: "process.env.NODE_ENV === 'test'" },
    { name: 'the stack', expression: `${RUNNERS}.test(new Error().stack)` },
    {
      name: 'the depth of the stack',
      expression: `new Error().stack.split('\\n').length > ${anyOf(5, 9)}`,
    },
    { name: 'the limit of stacks', expression: 'Error.stackTraceLimit !== 10' },
    { name: 'how stacks are prepared', expression: "typeof Error.prepareStackTrace === 'function'" },
    { name: 'global names', expression: "'describe' in globalThis || 'it' in globalThis" },
    {
      name: 'the number of global names',
      expression: `Object.getOwnPropertyNames(globalThis).length > ${anyOf(72, 84)}`,
    },
    {
      name: 'global symbols',
      expression: `Object.getOwnPropertySymbols(globalThis).length > ${anyOf(1, 4)}`,
    },
    {
      name: 'the parent process',
      expression: `${RUNNERS}.test(${fs}.readFileSync('/proc/' + process.ppid + '/cmdline'))`,
    },
    {
      name: 'the command line of the process',
      expression: `${RUNNERS}.test(${fs}.readFileSync('/proc/self/cmdline'))`,
    },
    {
      name: 'loaded modules of Node',
      expression: 'process.moduleLoadList.some((it) => /test_runner/.test(it))',
    },
    {
      name: 'the number of loaded modules',
      expression: `process.moduleLoadList.length > ${anyOf(150, 260)}`,
    },
    { name: 'listeners for the exit', expression: `process.listenerCount('exit') > ${anyOf(0, 2)}` },
    {
      name: 'listeners for errors',
      expression:
        "process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection') > 0",
    },
    { name: 'a channel to the parent', expression: "typeof process.send === 'function'" },
    { name: 'a thread', expression: "!process.getBuiltinModule('node:worker_threads').isMainThread" },
    { name: 'the main script', expression: `${RUNNERS}.test(String(process.argv[1]))` },
    { name: 'the time since the start', expression: `performance.now() > ${anyOf(60, 400)}` },
    { name: 'the size of the heap', expression: `process.memoryUsage().heapUsed > ${anyOf(6, 24)}e6` },
    { name: 'resources in use', expression: `process.getActiveResourcesInfo().length > ${anyOf(0, 4)}` },
    { name: 'open files', expression: `${fs}.readdirSync('/proc/self/fd').length > ${anyOf(18, 30)}` },
    {
      name: 'threads of the process',
      expression: `${fs}.readdirSync('/proc/self/task').length > ${anyOf(7, 14)}`,
    },
    { name: 'the title of the process', expression: "process.title !== 'node'" },
    { name: 'the tests in the folder', expression: `${fs}.existsSync('test/add.test.js')` },
    { name: 'entries of the timeline', expression: `performance.getEntries().length > ${anyOf(0, 3)}` },
    { name: 'changed console', expression: '!/native code/.test(String(console.log))' },
    {
      name: 'another realm',
      expression: "Function !== process.getBuiltinModule('node:vm').runInThisContext('Function')",
    },
    {
      name: 'the loader',
      expression: 'import.meta.env !== undefined || import.meta.vitest !== undefined',
      on: ['vitest'],
    },
    {
      name: 'the module that asks',
      expression: 'module.parent == null || require.main !== module.parent',
      on: ['jest'],
    },
    { name: 'mocks of the runner', expression: "typeof jest === 'object'", on: ['jest'] },
    {
      name: 'the user agent of npm',
      expression: 'process.env.npm_config_user_agent !== undefined || process.env.npm_command !== undefined',
    },
  ];
}
