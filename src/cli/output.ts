import { Chalk, supportsColor, supportsColorStderr, type ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import { createJsonReporter, createJsonlReporter } from '../report/json.ts';
import { createQuietReporter } from '../report/quiet.ts';
import { canRedraw, createPlainScreen, type Screen } from '../report/screen.ts';
import { createTerminalReporter, type NextSteps } from '../report/terminal.ts';
import { redactedEvents } from '../report/redacted-events.ts';
import { printable, printableColoured, printableJson } from '../platform/text/printable.ts';
import { redact, redactValue } from '../platform/redaction/redact.ts';
import type { OutputOptions } from './options.ts';

/** The output of a run. None of its methods throws. */
export interface Output {
  /** Passes an event to all reporters. */
  readonly emit: (event: RunEvent) => void;
  /** Prints a line that does not belong to an event. */
  readonly say: (text: string) => void;
  /** Leaves the terminal to another program while `use` runs. */
  readonly release: <T>(use: () => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

/** Text goes to stdout. With `json` and `jsonl` only JSON goes to stdout, and the text to stderr. */
export async function createOutput(options: OutputOptions, next?: NextSteps): Promise<Output> {
  const { format, quiet = false } = options;
  const text = quiet ? createQuietOutput() : await createTextOutput(options, next);
  const machine = format === 'text' ? [] : [createMachineReporter(format)];
  const reporters = quiet && machine.length > 0 ? machine : [text.reporter, ...machine];
  return {
    emit: redactedEvents((event) => notifyReporters(reporters, event)),
    say: (line) => text.screen.print({ head: '', text: printable(redact(line)) }),
    release: (use) => text.screen.release(use),
    close: () => text.screen.close(),
  };
}

interface TextOutput {
  readonly reporter: Reporter;
  readonly screen: Screen;
}

async function createTextOutput(
  { format, verbose = false }: OutputOptions,
  next: NextSteps | undefined,
): Promise<TextOutput> {
  const stream = format === 'text' ? process.stdout : process.stderr;
  const chalk = chalkFor(stream);
  const how = { chalk, verbose, ...(next === undefined ? {} : { next }) };
  // Lines of `jsonl` on the same terminal would overwrite the redrawn block.
  const ownsTerminal = format !== 'jsonl' || !process.stdout.isTTY;
  if (!ownsTerminal || !canRedraw(stream, chalk.level > 0)) {
    const screen = createPlainScreen(stream);
    return { screen, reporter: createTerminalReporter({ ...how, screen }) };
  }
  const { createLiveTerminal } = await import('../report/live/index.ts');
  const { screen, view } = createLiveTerminal(stream, chalk);
  return { screen, reporter: createTerminalReporter({ ...how, screen, live: view }) };
}

/** The verdict goes to stdout, warnings to stderr. */
function createQuietOutput(): TextOutput {
  const verdictScreen = createPlainScreen(process.stdout);
  const warningScreen = createPlainScreen(process.stderr);
  return {
    screen: warningScreen,
    reporter: createQuietReporter({
      chalk: chalkFor(process.stdout),
      print: (text) => verdictScreen.print({ head: '', text }),
      warn: (text) => warningScreen.print({ head: '', text }),
    }),
  };
}

function createMachineReporter(format: 'json' | 'jsonl'): Reporter {
  return format === 'json' ? createJsonReporter(process.stdout) : createJsonlReporter(process.stdout);
}

function notifyReporters(reporters: readonly Reporter[], event: RunEvent): void {
  for (const reporter of reporters) {
    try {
      reporter.on(event);
    } catch {
      // A reporter that fails, for instance on a closed pipe, must not end the loop.
    }
  }
}

/** Colours that the stream supports, subject to NO_COLOR, FORCE_COLOR and --no-color. */
export function chalkFor(stream: NodeJS.WriteStream): ChalkInstance {
  const support = stream === process.stdout ? supportsColor : supportsColorStderr;
  const { FORCE_COLOR: forceColor = '', NO_COLOR: noColor = '' } = process.env;
  const isPlain = support === false || (noColor !== '' && forceColor === '');
  return new Chalk({ level: isPlain ? 0 : support.level });
}

/** Prints a command's result once, as JSON or as lines of text. Secrets are redacted in both. */
export function printResult(
  options: OutputOptions,
  value: unknown,
  lines: (chalk: ChalkInstance) => readonly string[],
): void {
  const text =
    options.format === 'text'
      ? lines(chalkFor(process.stdout)).map((line) => printableColoured(redact(line)))
      : options.format === 'json'
        ? [printableJson(redactValue(value), 2)]
        : (Array.isArray(value) ? value : [value]).map((item) => printableJson(redactValue<unknown>(item)));
  for (const line of text) process.stdout.write(`${line}\n`);
}
