import { shellWord } from '../../platform/processes/shell-words.ts';
import { readPackageVersion } from './installed-tool.ts';
import type { Step } from './scripts/step.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';

/** What is added to a command, so that it reports its tests in a format that a check reads. */
interface Reporting {
  /** Words behind the command. */
  readonly words?: string;
  /** Assignments in front of it. */
  readonly env?: string;
}

/**
 * Programs that report their tests as TAP or JUnit when they are asked to. `{report}` is a file of the run, and
 * `{jasmine-tap}` a reporter of ours.
 */
const REPORTING: Readonly<Record<string, (step: Step) => Reporting>> = {
  tap: (step) => ({ words: `--reporter=tap ${tapWithoutCoverage(step)}`.trim() }),
  playwright: () => ({ words: '--reporter=junit', env: 'PLAYWRIGHT_JUNIT_OUTPUT_NAME={report}' }),
  bun: () => ({ words: '--reporter=junit --reporter-outfile={report}' }),
  deno: () => ({ words: '--reporter=tap' }),
  lab: () => ({ words: '-r junit -o {report}' }),
  bats: () => ({ words: '--formatter tap' }),
  borp: () => ({ words: '--reporter=tap' }),
  jasmine: (step) => (isJasmineBefore(3, step) ? {} : { words: '--reporter={jasmine-tap}' }),
};

/** A wrapper that measures coverage, up to the program that it runs. */
const COVERAGE = /^(?:npx\s+)?(?:c8|nyc)\s/;

/**
 * The command line of a step that runs tests by a program without a row in the table of tools: without the wrapper
 * that measures coverage, and with the options by which the program reports its tests.
 */
export function reportingLine(step: Step): string {
  const line = step.program === 'borp' ? withoutReporters(step) : withoutCoverage(step);
  const { words, env } = Object.hasOwn(REPORTING, step.program) ? REPORTING[step.program]!(step) : {};
  return [env, line, words].filter((part) => part !== undefined).join(' ');
}

/** The command line of a step of tap that measures coverage. */
export function lineWithCoverage({ text }: Step): string {
  return `${text} --reporter=tap`;
}

/** Options of `tape`, `uvu` and `node` that load a module first, with the module as the next word. */
const PRELOAD = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);

/**
 * The command line that runs one test file of a step alone, with `{file}` in its place; undefined for a program that
 * runs its files in another way than Node would.
 */
export function fileLine(step: Step): string | undefined {
  const { program, args } = step;
  if (program === 'tap') {
    const options = args.filter((word) => word.startsWith('--') && !word.startsWith('--reporter'));
    return [...words('tap', options), '--reporter=tap', tapWithoutCoverage(step), '--timeout=0', '{file}']
      .filter((word) => word !== '')
      .join(' ');
  }
  if (program === 'jasmine' && !isJasmineBefore(3, step)) {
    const options = args.filter((word) => word.startsWith('--') && !word.startsWith('--reporter'));
    return `${words('jasmine', options).join(' ')} --reporter={jasmine-tap} {file}`;
  }
  if (program !== 'tape' && program !== 'uvu' && program !== 'node') return undefined;
  const preloads = args.flatMap((word, at) => {
    if (PRELOAD.has(word) && at + 1 < args.length) return [word, args[at + 1]!];
    return word.startsWith('--') && PRELOAD.has(word.replace(/=.*$/s, '')) ? [word] : [];
  });
  return [...words('node', preloads), '{file}'].join(' ');
}

function words(program: string, args: readonly string[]): string[] {
  return [program, ...args.map(shellWord)];
}

/** borp writes what each of its reporters says to the same output. */
function withoutReporters(step: Step): string {
  return withoutCoverage(step).replaceAll(/\s(?:--reporter|-r)(?:=|\s+)\S+/g, '');
}

function withoutCoverage({ text, program, args }: Step): string {
  if (!COVERAGE.test(text)) return text;
  const escaped = escapeRegExp(program);
  const at = text.search(new RegExp(String.raw`(?<=\s)(?:\S*/)?${escaped}(?=\s|$)`));
  return at === -1 ? [program, ...args].map(shellWord).join(' ') : text.slice(at);
}

function isJasmineBefore(version: number, { dir }: Step): boolean {
  return Number.parseInt(readPackageVersion('jasmine', dir) ?? '', 10) < version;
}

/** node-tap 18 and later call the option differently. */
function tapWithoutCoverage({ dir, args }: Step): string {
  if (args.includes('--disable-coverage') || args.includes('--no-coverage')) return '';
  const major = Number.parseInt(readPackageVersion('tap', dir) ?? '', 10);
  return major < 18 ? '--no-coverage' : '--disable-coverage';
}
