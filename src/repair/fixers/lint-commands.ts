import { basename } from 'node:path';
import { shellCommand } from '../../platform/processes/shell-words.ts';

/** Command lines for files, derived from the command line of a lint check. */
export interface LintCommands {
  /** Checks the files. */
  check(files: readonly string[]): string;
  /** Applies the tool's own fixes to the files. */
  fix(files: readonly string[]): string;
  /** It changes only the layout of files. */
  readonly isFormatter: boolean;
}

/** How a linter is told to check or fix some files. */
interface LintProgram {
  readonly check: readonly string[];
  readonly fix: readonly string[];
  /** Subcommands that the script may name. */
  readonly subcommands?: readonly string[];
  /** Options that are kept, with their value. */
  readonly withValue: readonly string[];
}

const ESLINT_LIKE: LintProgram = { check: [], fix: ['--fix'], withValue: ['--ext', '--config', '-c'] };

const PROGRAMS: Readonly<Record<string, LintProgram>> = {
  standard: ESLINT_LIKE,
  semistandard: ESLINT_LIKE,
  'ts-standard': ESLINT_LIKE,
  xo: ESLINT_LIKE,
  oxlint: { ...ESLINT_LIKE, withValue: ['--config', '-c', '--tsconfig'] },
  gts: { check: ['lint'], fix: ['fix'], subcommands: ['lint', 'check'], withValue: [] },
  biome: {
    check: [],
    fix: ['--write'],
    subcommands: ['lint', 'check', 'ci', 'format'],
    withValue: ['--config-path'],
  },
  oxfmt: { check: ['--check'], fix: [], withValue: ['--config', '-c', '--ignore-path'] },
  prettier: { check: ['--check'], fix: ['--write'], withValue: ['--config', '--ignore-path', '--plugin'] },
};

/**
 * The commands of a linter that a check runs as one simple command, such as `xo`, `biome check .` or
 * `npx prettier --check src`. Undefined for other programs, and for command lines that only a shell understands.
 */
export function lintCommandsOf(command: string): LintCommands | undefined {
  if (/[;&|<>$`\n]/.test(command.replaceAll(/'[^']*'/g, ''))) return undefined;
  const words = command.match(/'[^']*'|"[^"]*"|\S+/g)?.map(unquoted) ?? [];
  if (words[0] === 'npx') words.shift();
  const [program = '', ...args] = words;
  const name = basename(program);
  const known = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (known === undefined) return undefined;
  const subcommand = known.subcommands?.find((word) => word === args[0]);
  const kept = keptOptions(args, known);
  const line = (mode: readonly string[], own: readonly string[], files: readonly string[]): string =>
    shellCommand([program, ...own, ...mode, ...kept, ...files]);
  const isReplaced = name === 'gts';
  const own = subcommand === undefined || isReplaced ? [] : [subcommand === 'ci' ? 'check' : subcommand];
  return {
    isFormatter: name === 'prettier' || name === 'oxfmt' || subcommand === 'format',
    check: (files) => line(known.check, own, files),
    fix: (files) => line(known.fix, own, files),
  };
}

function keptOptions(args: readonly string[], { withValue }: LintProgram): string[] {
  return args.flatMap((arg, index) => {
    const [name = '', value] = arg.split('=', 2);
    if (!withValue.includes(name)) return [];
    const next = args[index + 1];
    if (value !== undefined) return [arg];
    return next === undefined ? [] : [arg, next];
  });
}

function unquoted(word: string): string {
  return /^(['"])[\s\S]*\1$/.test(word) ? word.slice(1, -1) : word;
}
