import { Chalk, supportsColor, supportsColorStderr, type ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import { createJsonReporter, createJsonlReporter } from '../report/json.ts';
import { createQuietReporter } from '../report/quiet.ts';
import { canRedraw, createPlainScreen, type Screen } from '../report/screen.ts';
import { createTerminalReporter } from '../report/terminal.ts';
import { redactedEvents } from '../report/redacted-events.ts';
import { printable, printableColoured, printableJson } from '../platform/text/printable.ts';
import { redact, redactValue } from '../platform/redaction/redact.ts';
import type { OutputOptions } from './options.ts';

/** Where a run is shown: one emitter for all reporters, none of which can stop the loop. */
export interface Output {
  readonly emit: (event: RunEvent) => void;
  /** A line for the user beside the events. */
  readonly say: (text: string) => void;
  readonly close: () => void;
}

/** Text goes to stdout; with `json` and `jsonl` stdout is theirs alone and text goes to stderr. */
export async function createOutput(options: OutputOptions): Promise<Output> {
  const { format, quiet = false } = options;
  const text = quiet ? quietOutput() : await openText(options);
  const machine = format === 'text' ? [] : [machineReporter(format)];
  const reporters = quiet && machine.length > 0 ? machine : [text.reporter, ...machine];
  return {
    emit: redactedEvents((event) => tellAll(reporters, event)),
    say: (line) => text.screen.print({ head: '', text: printable(redact(line)) }),
    close: () => text.screen.close(),
  };
}

interface TextOutput {
  readonly reporter: Reporter;
  readonly screen: Screen;
}

async function openText({ format, verbose = false }: OutputOptions): Promise<TextOutput> {
  const stream = format === 'text' ? process.stdout : process.stderr;
  const chalk = chalkFor(stream);
  // Lines of `jsonl` on the same terminal would go through the block.
  const isAlone = format !== 'jsonl' || !process.stdout.isTTY;
  if (!isAlone || !canRedraw(stream, chalk.level > 0)) {
    const screen = createPlainScreen(stream);
    return { screen, reporter: createTerminalReporter({ chalk, screen, verbose }) };
  }
  const { createLiveTerminal } = await import('../report/live/index.ts');
  const { screen, view } = createLiveTerminal(stream, chalk);
  return { screen, reporter: createTerminalReporter({ chalk, screen, live: view, verbose }) };
}

/** The verdict on stdout; what must not be missed beside it, on stderr. */
function quietOutput(): TextOutput {
  const [out, aside] = [process.stdout, process.stderr].map((stream) => createPlainScreen(stream)) as [
    Screen,
    Screen,
  ];
  const printTo = (screen: Screen) => (text: string) => screen.print({ head: '', text });
  const chalk = chalkFor(process.stdout);
  return {
    screen: aside,
    reporter: createQuietReporter({ chalk, print: printTo(out), warn: printTo(aside) }),
  };
}

/** Colours as the stream can show them; NO_COLOR, FORCE_COLOR and --no-color are honoured. */
export function chalkFor(stream: NodeJS.WriteStream): ChalkInstance {
  const support = stream === process.stdout ? supportsColor : supportsColorStderr;
  const { FORCE_COLOR: forced = '', NO_COLOR: unwanted = '' } = process.env;
  const isPlain = support === false || (unwanted !== '' && forced === '');
  return new Chalk({ level: isPlain ? 0 : support.level });
}

/** For the commands that print once: the value as JSON, or its lines as text. Secrets are left out of both. */
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

function machineReporter(format: 'json' | 'jsonl'): Reporter {
  return format === 'json' ? createJsonReporter(process.stdout) : createJsonlReporter(process.stdout);
}

function tellAll(reporters: readonly Reporter[], event: RunEvent): void {
  for (const reporter of reporters) {
    try {
      reporter.on(event);
    } catch {
      // A reporter that fails (a closed pipe, say) must not end the loop.
    }
  }
}
