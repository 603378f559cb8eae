/** A word of a shell line. */
export interface ShellWord {
  readonly kind: 'word';
  /** Without quotes and escapes. */
  readonly text: string;
  /** 0-based offsets into the line; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Contains an expansion that only a shell can evaluate: `$NAME`, `$(…)`, backquotes. */
  readonly opaque: boolean;
  /** Contains an unquoted `*` or `?`. */
  readonly glob: boolean;
}

/** An operator between two commands; a line break counts as `;`. */
export type ShellOperator = '&&' | '||' | ';' | '|' | '&';

/** A word, an operator or a redirection. `end`: 0-based offset behind it. */
export type ShellToken =
  | ShellWord
  | { readonly kind: 'operator'; readonly text: ShellOperator; readonly end: number }
  | { readonly kind: 'redirect'; readonly end: number };

/** A redirection operator with its file descriptor; a target file is the next word. */
const REDIRECT = /(?:\d*(?:>>|>\||<>|>&|<&|>|<)|&>>|&>)/y;
const DESCRIPTOR = /(?:\d+|-)(?=[\s;&|]|$)/y;

/**
 * The tokens of a shell line (POSIX XCU 2.2 and 2.3). A redirection includes its target file. `undefined` where the
 * line has a group, or a quote that is never closed.
 */
export function lexShell(line: string): ShellToken[] | undefined {
  const tokens: ShellToken[] = [];
  let at = 0;
  while (at < line.length) {
    const char = line[at]!;
    if (char === '#') at = endOfLine(line, at);
    else if (/[ \t\r]/.test(char)) at++;
    else if (char === '(' || char === ')') return undefined;
    else {
      const token = readRedirect(line, at) ?? readOperator(line, at) ?? readWord(line, at);
      if (token === undefined) return undefined;
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function endOfLine(line: string, at: number): number {
  const end = line.indexOf('\n', at);
  return end === -1 ? line.length : end;
}

function readRedirect(line: string, at: number): ShellToken | undefined {
  const operator = matchAt(REDIRECT, line, at);
  if (operator === undefined) return undefined;
  const after = at + operator.length;
  const descriptor = operator.endsWith('&') ? matchAt(DESCRIPTOR, line, after) : undefined;
  if (descriptor !== undefined) return { kind: 'redirect', end: after + descriptor.length };
  const blank = matchAt(/[ \t]*/y, line, after)!;
  const target = readWord(line, after + blank.length);
  return target && { kind: 'redirect', end: target.end };
}

function readOperator(line: string, at: number): ShellToken | undefined {
  const text = matchAt(/&&|\|\||[;|&\n]/y, line, at);
  if (text === undefined) return undefined;
  const operator = text === '\n' ? ';' : (text as ShellOperator);
  return { kind: 'operator', text: operator, end: at + text.length };
}

function readWord(line: string, start: number): ShellWord | undefined {
  let text = '';
  let at = start;
  let opaque = false;
  let glob = false;
  while (at < line.length && !/[\s;&|<>()]/.test(line[at]!)) {
    const piece = readPiece(line, at);
    if (piece === undefined) return undefined;
    text += piece.text;
    at = piece.end;
    opaque ||= piece.opaque === true;
    glob ||= piece.glob === true;
  }
  return { kind: 'word', text, start, end: at, opaque, glob };
}

interface Piece {
  readonly text: string;
  readonly end: number;
  readonly opaque?: boolean;
  readonly glob?: boolean;
}

function readPiece(line: string, at: number): Piece | undefined {
  const char = line[at]!;
  if (char === "'") return readSingleQuoted(line, at);
  if (char === '"') return readDoubleQuoted(line, at);
  if (char === '\\') return { text: line[at + 1] ?? '', end: Math.min(at + 2, line.length) };
  if (line.startsWith('$(', at)) return readSubstitution(line, at);
  if (startsExpansion(line, at)) return { text: char, end: at + 1, opaque: true };
  return { text: char, end: at + 1, glob: char === '*' || char === '?' };
}

/** A backquote, or a dollar sign in front of a name: before any other character it is only a dollar sign. */
function startsExpansion(line: string, at: number): boolean {
  return line[at] === '`' || (line[at] === '$' && /[\w{(@*#?$!'"-]/.test(line[at + 1] ?? ''));
}

function readSingleQuoted(line: string, at: number): Piece | undefined {
  const end = line.indexOf("'", at + 1);
  return end === -1 ? undefined : { text: line.slice(at + 1, end), end: end + 1 };
}

function readDoubleQuoted(line: string, at: number): Piece | undefined {
  let text = '';
  let opaque = false;
  for (let index = at + 1; index < line.length; index++) {
    const char = line[index]!;
    if (char === '"') return { text, end: index + 1, opaque };
    if (startsExpansion(line, index)) opaque = true;
    if (char === '\\' && /["\\$`]/.test(line[index + 1] ?? '')) index++;
    text += line[index];
  }
  return undefined;
}

function readSubstitution(line: string, at: number): Piece | undefined {
  let depth = 0;
  for (let index = at + 1; index < line.length; index++) {
    if (line[index] === '(') depth++;
    if (line[index] === ')') depth--;
    if (depth === 0) return { text: line.slice(at, index + 1), end: index + 1, opaque: true };
  }
  return undefined;
}

function matchAt(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}
