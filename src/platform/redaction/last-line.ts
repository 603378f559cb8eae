import { redact } from './redact.ts';

/** Longer than a private key, so that its lines are not taken for text. */
const KEPT_CHARS = 32 * 1024;
const PAUSE_MS = 100;

/**
 * Follows the output of a program and passes on its last whole line, secrets redacted, at most ten times a second: redacting all of an
 * endless output would take longer than printing it. `clock` is in milliseconds.
 */
export function followLastLine(
  onLine: (line: string) => void,
  clock: () => number = () => performance.now(),
): (text: string) => void {
  let tail = '';
  let isCut = false;
  let last = -Infinity;
  return (text) => {
    isCut ||= tail.length + text.length > KEPT_CHARS;
    tail = (tail + text).slice(-KEPT_CHARS);
    if (clock() - last < PAUSE_MS) return;
    // The first line of a tail may be the second half of a secret, the last one the first half.
    const whole = isCut ? tail.slice(tail.indexOf('\n') + 1 || tail.length) : tail;
    const line = redact(whole.slice(0, whole.lastIndexOf('\n') + 1))
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.trim();
    if (line === undefined || line === '') return;
    last = clock();
    onLine(line);
  };
}
