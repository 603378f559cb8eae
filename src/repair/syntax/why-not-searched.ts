import { parseSource } from './parse.ts';

/** A minified file has at least one line longer than this … */
const LONG_LINE_CHARS = 1_000;
/** … and lines that are longer than this on average. */
const LONG_AVERAGE_CHARS = 250;
const MAX_FILE_CHARS = 500_000;

/** Reason why no edits are proposed for a file, as one line; undefined for a file that can be searched. */
export function whyNotSearched(file: string, text: string): string | undefined {
  if (/\.d\.[cm]?ts$/.test(file)) return `${file} holds only types`;
  if (!/\.[cm]?[jt]sx?$/.test(file)) return `${file} is neither JavaScript nor TypeScript`;
  if (/[.-]min\.[cm]?js$/.test(file) || looksMinified(text)) return `${file} is minified`;
  if (/@generated|\bdo not edit\b|auto-?generated/i.test(text.slice(0, 1000))) return `${file} is generated`;
  if (text.length > MAX_FILE_CHARS) return `${file} is larger than ${MAX_FILE_CHARS} characters`;
  const parsed = parseSource(file, text);
  return 'problem' in parsed ? parsed.problem : undefined;
}

function looksMinified(text: string): boolean {
  const lines = text.split('\n');
  const longest = Math.max(...lines.map((line) => line.length));
  return longest > LONG_LINE_CHARS && text.length / lines.length > LONG_AVERAGE_CHARS;
}
