/** One event of a stream, or the whole body where nothing is streamed. */
export interface Frame {
  readonly part: FramePart | 'body';
  /** The `event:` line, where the format has one. */
  readonly event?: string;
  /** Text of the `data:` line, or of the body. */
  readonly data: string;
}

/**
 * What an event is for. `block-start` and `block-end`: around one text or one tool call. `end`: why it ended, and the
 * usage. `done`: only that there is no more.
 */
export type FramePart = 'start' | 'block-start' | 'delta' | 'block-end' | 'end' | 'done';

const PIECE_CHARACTERS = 12;
const MOST_PIECES = 500;

/** A text as a model would stream it; no character is torn apart, and joined they are the text. */
export function pieces(text: string): string[] {
  const size = Math.max(PIECE_CHARACTERS, Math.ceil(text.length / MOST_PIECES));
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + size;
    const whole = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    found.push(text.slice(at, whole));
    at = whole;
  }
  return found;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
