import { stripVTControlCharacters } from 'node:util';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { relativizePaths } from './relativize-paths.ts';

export const OUTPUT_BYTES = 16 * 1024;
/** The raw output kept; more than is shown, since removing colours and paths shortens it. */
const COLLECTED_CHARS = 2 ** 18;

/** Collects the output of a command in bounded memory. */
export class CommandOutput {
  readonly #text = new BoundedText(COLLECTED_CHARS);
  readonly #root: string;
  #total = 0;

  /** `root`: the absolute path that is replaced by `.`. */
  constructor(root: string) {
    this.#root = root;
  }

  append(text: string): void {
    this.#total += text.length;
    this.#text.append(text);
  }

  /** The output without colours, overwritten progress lines and the root's path; beyond 16 KB, its head and tail. */
  toString(): string {
    const raw = this.#text.toString();
    const shown = relativizePaths(withoutOverwritten(stripVTControlCharacters(raw)), this.#root);
    // Redacted before it is cut, since half a secret is not recognised.
    const text = redact(shown).trimEnd();
    return headAndTail(text, Math.max(0, this.#total - raw.length));
  }
}

/** Keeps the last of the texts that carriage returns overwrite. */
function withoutOverwritten(text: string): string {
  if (!text.includes('\r')) return text;
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** `gone`: the number of characters already removed from the middle. */
function headAndTail(text: string, gone: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= OUTPUT_BYTES) return text;
  const head = bytes
    .subarray(0, OUTPUT_BYTES / 2)
    .toString('utf8')
    .replace(/\u{fffd}+$/u, '');
  const tail = bytes
    .subarray(-OUTPUT_BYTES / 2)
    .toString('utf8')
    .replace(/^\u{fffd}+/u, '');
  const left = text.length - head.length - tail.length + gone;
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
