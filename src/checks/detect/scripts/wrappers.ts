import { optionNames } from '../../run/option-rules.ts';
import { asNodeTest } from './better-node-test.ts';
import { parseAssignment } from './shell.ts';

/** A command without wrappers such as `npx`. */
export interface Unwrapped {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
  /** Number of its own operands in front of the command. */
  readonly operands?: number;
  /** First words with which it runs no other command. */
  readonly modes?: readonly string[];
}

const COVERAGE: Wrapper = {
  valued:
    optionNames(`-r --reporter -o --report-dir --reports-dir --temp-dir --temp-directory --src -n --include -x
    --exclude --extension -e --cwd --nycrc-path -c --config --lines --branches --functions --statements --require -i
    --resolve`),
  modes: ['report', 'check-coverage', 'merge', 'instrument'],
};
/** `istanbul cover FILE -- ARGUMENTS`: a program of Node that it loads itself. */
const ISTANBUL: Wrapper = {
  valued: optionNames('--root -x --default-excludes --dir --report --hook-run-in-context --config'),
};
const PACKAGE_RUNNER: Wrapper = { valued: ['-p', '--package'], modes: ['-c', '--call'] };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  'cross-env': { valued: [] },
  env: { valued: [], modes: ['-u', '-i'] },
  npx: PACKAGE_RUNNER,
  bunx: PACKAGE_RUNNER,
  pnpx: PACKAGE_RUNNER,
  c8: COVERAGE,
  nyc: COVERAGE,
  time: { valued: [] },
  exec: { valued: [] },
  command: { valued: [] },
  timeout: { valued: ['-k', '-s', '--signal', '--kill-after'], operands: 1 },
};

/** Two words that mean the same as `npx`, such as `npm exec`. */
const MANAGER_EXEC = /^(?:npm (?:exec|x)|pnpm exec|yarn exec|bun x|bun --bun) /;

/**
 * Removes `cross-env A=b`, `npx`, `c8`, `nyc`, `time` and similar wrappers in any order, and the path in front of a
 * program in node_modules/.bin. Keeps the variables that they set.
 */
export function unwrapCommand(command: Unwrapped): Unwrapped {
  const [words, env] = [withoutIstanbul(normalise(command.words)), { ...command.env }];
  const wrapper = Object.hasOwn(WRAPPERS, words[0] ?? '') ? WRAPPERS[words[0]!]! : undefined;
  if (wrapper === undefined || wrapper.modes?.includes(words[1] ?? '')) return asNodeTest({ words, env });
  const rest = dropOptions(words.slice(1), wrapper);
  let at = wrapper.operands ?? 0;
  for (; at < rest.length; at++) {
    const assignment = parseAssignment(rest[at]!);
    if (assignment === undefined) break;
    env[assignment[0]] = assignment[1];
  }
  return at < rest.length ? unwrapCommand({ words: rest.slice(at), env }) : { words, env };
}

/** The words of `c8` or `nyc` in front of another command; undefined where there is none. */
export function coverageWrapper(command: Unwrapped): readonly string[] | undefined {
  const words = normalise(command.words);
  const [program = ''] = words;
  const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program]! : undefined;
  if (wrapper === undefined || wrapper.modes?.includes(words[1] ?? '')) return undefined;
  const rest = dropOptions(words.slice(1), wrapper);
  if (wrapper === COVERAGE) return rest.length === 0 ? undefined : words.slice(0, words.length - rest.length);
  const inner = rest.slice(wrapper.operands ?? 0);
  const first = inner.findIndex((word) => parseAssignment(word) === undefined);
  return first === -1 ? undefined : coverageWrapper({ ...command, words: inner.slice(first) });
}

/** The program that `istanbul cover` runs, as a command: `_mocha` is mocha in the same process. */
function withoutIstanbul(words: string[]): string[] {
  if (words[0] !== 'istanbul' || words[1] !== 'cover') return words;
  const [file, ...rest] = dropOptions(words.slice(2), ISTANBUL);
  if (file === undefined) return words;
  const args = rest.slice(rest.indexOf('--') + 1);
  const program = file.replace(/(^|\/)_mocha$/, '$1mocha');
  return program.includes('/') || /\.[cm]?js$/.test(program)
    ? normaliseNode(program, args)
    : [program, ...args];
}

function normaliseNode(file: string, args: readonly string[]): string[] {
  const name = programName(file.startsWith('.') ? file : `./${file}`);
  return name.includes('/') ? ['node', file, ...args] : [name, ...args];
}

function normalise(words: readonly string[]): string[] {
  const head = `${words.slice(0, 2).join(' ')} `;
  const rest = MANAGER_EXEC.test(head) ? ['npx', ...words.slice(2)] : [...words];
  if (rest[0] !== undefined) rest[0] = programName(rest[0]);
  return rest;
}

/** `./node_modules/.bin/jest`, `jest@30` → `jest`. */
function programName(word: string): string {
  const name = /(?:^|\/)node_modules\/\.bin\/([^/]+)$/.exec(word)?.[1] ?? word;
  return /^(@[^/]+\/)?[^@/]+@[^/]+$/.test(name) ? name.slice(0, name.lastIndexOf('@')) : name;
}

function dropOptions(words: readonly string[], wrapper: Wrapper): string[] {
  let at = 0;
  while (at < words.length && words[at]!.startsWith('-')) {
    if (words[at] === '--') return words.slice(at + 1);
    at += wrapper.valued.includes(words[at]!) ? 2 : 1;
  }
  return words.slice(at);
}
