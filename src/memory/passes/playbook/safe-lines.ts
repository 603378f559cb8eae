import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { oneLine } from '../../../platform/text/one-line.ts';

/** One sentence for each line of a text that the gate's safety check refuses. */
export function unsafeLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const danger = dangerOf(line);
    return danger === undefined ? [] : [`${danger} The line: ${oneLine(line, 200)}`];
  });
}

/** The text without its unsafe lines. */
export function safeLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => dangerOf(line) === undefined)
    .join('\n');
}

function dangerOf(line: string): string | undefined {
  return line.trim() === '' ? undefined : dangerIn(line);
}
