import type { Unwrapped } from './wrappers.ts';

/** The files that `bnt` runs if it is given none. */
const OWN_FILES = '**/*.{test,spec}.{js,ts}';
/** Options of `bnt` with a value, and what they are for Node. */
const VALUED: Readonly<Record<string, (value: string) => readonly string[]>> = {
  '-t': (value) => [`--test-name-pattern=${value}`],
  '--coverage': (value) => [
    '--experimental-test-coverage',
    ...['**/*.test.*', '**/test/**'].flatMap((files) => ['--test-coverage-exclude', files]),
    `--test-coverage-lines=${value}`,
  ],
  '--coverage-include': (value) => ['--test-coverage-include', value],
  '--coverage-exclude': (value) => ['--test-coverage-exclude', value],
};

/** `bnt` of the package better-node-test, as the command of Node that it runs. */
export function asNodeTest({ words, env }: Unwrapped): Unwrapped {
  if (words[0] !== 'bnt') return { words, env };
  const options: string[] = [];
  const files: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const valued = Object.hasOwn(VALUED, word) ? VALUED[word] : undefined;
    if (valued !== undefined) options.push(...valued(words[++at] ?? ''));
    else if (word !== '--debug') files.push(word);
  }
  return {
    words: ['node', '--test', ...options, ...(files.length > 0 ? files : [OWN_FILES])],
    env: { ...env, NODE_ENV: 'test' },
  };
}
