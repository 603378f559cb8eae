import { Chalk, supportsColor, supportsColorStderr, type ChalkInstance } from 'chalk';
import type { RunEvent } from '../events.ts';
import type { Reporter } from '../ports.ts';
import { createJsonReporter, createJsonlReporter } from '../report/json.ts';
import { createStatusLine } from '../report/status-line.ts';
import { createTerminalReporter } from '../report/terminal.ts';
import { redactedEvents } from '../report/redacted-events.ts';
import { printable, printableColoured, printableJson } from '../util/printable.ts';
import { redact, redactValue } from '../util/redact.ts';
import type { OutputOptions } from './options.ts';

/** Where a run is shown: one emitter for all reporters, none of which can stop the loop. */
export interface Output {
  readonly emit: (event: RunEvent) => void;
  /** A line for the user beside the events. */
  readonly say: (text: string) => void;
  readonly close: () => void;
}

/** Text goes to stdout; with `json` and `jsonl` stdout is theirs alone and text goes to stderr. */
export function createOutput({ format, quiet = false, verbose = false }: OutputOptions): Output {
  const stream = format === 'text' ? process.stdout : process.stderr;
  const screen = createStatusLine(stream);
  const text = createTerminalReporter({ chalk: chalkFor(stream), screen, quiet, verbose });
  const reporters =
    format === 'text' ? [text] : quiet ? [machineReporter(format)] : [text, machineReporter(format)];
  return {
    emit: redactedEvents((event) => tellAll(reporters, event)),
    say: (line) => screen.print(printable(redact(line))),
    close: () => screen.close(),
  };
}

/** Colours as the stream can show them; NO_COLOR, FORCE_COLOR and --no-color are honoured. */
export function chalkFor(stream: NodeJS.WriteStream): ChalkInstance {
  const support = stream === process.stdout ? supportsColor : supportsColorStderr;
  return new Chalk({ level: support === false ? 0 : support.level });
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
