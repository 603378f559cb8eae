import { stripVTControlCharacters } from 'node:util';
import { BoundedText } from '../../platform/text/bounded-text.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { hideRoot } from './hide-root.ts';

export const OUTPUT_BYTES = 16 * 1024;
/** Kept as it comes; far more than what is shown, since colours and paths still shorten it. */
const COLLECTED_CHARS = 2 ** 18;

/** Output of a command as it comes, of any length in flat memory. */
export class CommandOutput {
  readonly #text = new BoundedText(COLLECTED_CHARS);
  readonly #root: string;
  #total = 0;

  /** `root`: absolute path that is shown as `.`. */
  constructor(root: string) {
    this.#root = root;
  }

  append(text: string): void {
    this.#total += text.length;
    this.#text.append(text);
  }

  /** Without colours, overwritten progress lines and the root's path; head and tail of what is longer than 16 KB. */
  toString(): string {
    const raw = this.#text.toString();
    const shown = hideRoot(withoutOverwritten(stripVTControlCharacters(raw)), this.#root);
    // Before it is cut: half a secret has no shape.
    const text = redact(shown).trimEnd();
    return headAndTail(text, Math.max(0, this.#total - raw.length));
  }
}

/** Of what carriage returns overwrite, the last is kept. */
function withoutOverwritten(text: string): string {
  if (!text.includes('\r')) return text;
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** `gone`: characters that were left out of the middle before. */
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
