/** Limits for a JSON text from outside. */
export interface JsonBounds {
  /** UTF-16 code units. */
  readonly maxChars: number;
  /** Nested objects and lists. */
  readonly maxDepth: number;
  /** Values, names and containers, counted roughly. */
  readonly maxParts: number;
}

const JSON_BOUNDS: JsonBounds = { maxChars: 64 * 1024 * 1024, maxDepth: 100, maxParts: 4_000_000 };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON from outside after checking its size and depth, so that code that walks over the value, such as schema
 * validation or JSON.stringify, cannot run out of stack or memory. Throws SyntaxError for invalid JSON, and for JSON
 * beyond the bounds.
 */
export function parseBoundedJson(text: string, bounds: Partial<JsonBounds> = {}): unknown {
  const problem = boundsProblem(text, { ...JSON_BOUNDS, ...bounds });
  if (problem !== undefined) throw new SyntaxError(problem);
  return JSON.parse(text) as unknown;
}

function boundsProblem(text: string, { maxChars, maxDepth, maxParts }: JsonBounds): string | undefined {
  if (text.length > maxChars) return `it has ${text.length} characters; at most ${maxChars} are read`;
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at);
    else if (code === COMMA) parts++;
    else if (OPENING.has(code)) {
      parts++;
      if (++depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`;
    } else if (CLOSING.has(code)) depth--;
    if (parts > maxParts) return `it has more than ${maxParts} parts`;
  }
  return undefined;
}

/** Index of the closing quote of the string at `start`; the length of the text if there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at, start)) return at;
  }
  return text.length;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0;
  while (at - slashes - 1 > start && text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}
