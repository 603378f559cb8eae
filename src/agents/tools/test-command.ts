import { posix } from 'node:path';

const RUNNERS = new Set(['vitest', 'jest', 'mocha', 'ava', 'tap', 'uvu', 'jasmine']);
const PACKAGE_MANAGERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Programs that run the command given in their arguments. */
const WRAPPERS = new Set([
  'npx',
  'pnpx',
  'bunx',
  'c8',
  'nyc',
  'env',
  'cross-env',
  'time',
  'timeout',
  'nice',
  'exec',
  'sudo',
]);
const RUN_WORDS = new Set(['run', 'run-script', 'exec', 'x', 'dlx']);

/** Whether a shell command line probably runs tests, judged by the words of its commands. */
export function runsTests(command: string): boolean {
  return command.split(/&&|\|\||[;|&\n(){}]/).some((part) => isTestCommand(part.trim().split(/\s+/)));
}

function isTestCommand(words: readonly string[]): boolean {
  const [program = '', ...rest] = words.slice(words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word)));
  const name = nameOf(program);
  if (RUNNERS.has(name)) return true;
  if (name === 'node')
    return rest.includes('--test') || RUNNERS.has(nameOf(rest.find((word) => !word.startsWith('-')) ?? ''));
  const next = rest.findIndex((word) => !word.startsWith('-') && !/^\d+[smh]?$/.test(word));
  if (next === -1) return false;
  if (WRAPPERS.has(name)) return isTestCommand(rest.slice(next));
  return PACKAGE_MANAGERS.has(name) && isTestScript(rest.slice(next));
}

/** Whether the words after a package manager's name run tests: `test`, `run test:unit`, `exec vitest`. */
function isTestScript(words: readonly string[]): boolean {
  const [first = '', ...rest] = words;
  if (RUN_WORDS.has(first)) {
    const script = rest.filter((word) => !word.startsWith('-'));
    return isTestName(script[0] ?? '') || isTestCommand(script);
  }
  return first === 't' || first === 'tst' || isTestName(first) || RUNNERS.has(first);
}

function isTestName(script: string): boolean {
  return /^tests?([:.-]|$)/.test(script);
}

function nameOf(program: string): string {
  return posix.basename(program).replace(/\.[cm]?[jt]s$/, '');
}
