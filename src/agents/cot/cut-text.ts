import { boundText } from '../../platform/text/bounded-text.ts';

/** A part of a text, and a line about what of it is missing; empty where nothing is. */
export interface CutText {
  readonly text: string;
  readonly cut: string;
}

/** Imports stand there. */
const HEAD_LINES = 15;
const MAX_LINE_CHARS = 1000;

/**
 * A text in about `limit` characters: its first lines, and as many around each of the lines (1-based) as there is
 * room for, in equal shares; around its first line where there is none. Whole lines, but for very long ones.
 */
export function cutAround(text: string, around: readonly number[], limit: number): CutText {
  if (text.length <= limit) return { text, cut: '' };
  const lines = text.split('\n').map((line) => boundText(line, MAX_LINE_CHARS));
  const inside = around.map((line) => line - 1).filter((at) => at >= 0 && at < lines.length);
  const kept = growFrom(inside.length > 0 ? [...new Set(inside)] : [0], lines, limit);
  return {
    text: withGaps(lines, kept).join('\n'),
    cut: `${kept.size} of ${lines.length} lines, give edit blocks only`,
  };
}

function growFrom(centres: readonly number[], lines: readonly string[], limit: number): Set<number> {
  const kept = new Set<number>();
  let room = limit;
  const keep = (at: number): boolean => {
    if (kept.has(at) || at < 0 || at >= lines.length) return true;
    room -= lines[at]!.length + 1;
    if (room < 0) return false;
    kept.add(at);
    return true;
  };
  const head = Array.from({ length: HEAD_LINES }, (_, at) => at);
  if (![...centres, ...head].every(keep)) return kept;
  for (let radius = 1; radius < lines.length; radius++) {
    if (!centres.every((at) => keep(at - radius) && keep(at + radius))) break;
  }
  return kept;
}

function withGaps(lines: readonly string[], kept: ReadonlySet<number>): string[] {
  const shown: string[] = [];
  let last = -1;
  for (const at of [...[...kept].sort((a, b) => a - b), lines.length]) {
    if (at > last + 1) shown.push(`[… lines ${last + 2} to ${at} left out …]`);
    if (at < lines.length) shown.push(lines[at]!);
    last = at;
  }
  return shown;
}
