import { printable } from '../platform/text/printable.ts';
import { redact } from '../platform/redaction/redact.ts';

/** Prints text to stderr, with secrets redacted and control characters escaped. */
export function printError(text: string): void {
  process.stderr.write(`${printable(redact(text))}\n`);
}

/** Prints a warning as one line on stderr. */
export function printWarning(text: string): void {
  printError(`ralph: ${oneLine(text)}`);
}

/** Stored text as one line that is safe to print. */
export function oneLine(text: string): string {
  return printable(text.replaceAll('\n', ' '));
}
