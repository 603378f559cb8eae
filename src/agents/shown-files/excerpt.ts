import { boundText } from '../../platform/text/bounded-text.ts';

/** A part of a text; `cut` describes what is left out, empty if nothing is. */
export interface Excerpt {
  readonly text: string;
  readonly cut: string;
}

/** The first lines, which hold the imports. */
const HEAD_LINES = 15;
const MAX_LINE_CHARS = 1000;

/**
 * Shortens a text to about `limit` characters: its first lines, and the lines around each of the given ones (1-based),
 * with the same radius; around the first line if none is given. Lines stay whole unless they exceed 1,000 characters.
 */
export function excerptAround(text: string, around: readonly number[], limit: number): Excerpt {
  if (text.length <= limit) return { text, cut: '' };
  const lines = text.split('\n').map((line) => boundText(line, MAX_LINE_CHARS));
  const inside = around.map((line) => line - 1).filter((at) => at >= 0 && at < lines.length);
  const kept = growFrom(inside.length > 0 ? [...new Set(inside)] : [0], lines, limit);
  return {
    text: withGaps(lines, kept).join('\n'),
    cut: `${kept.size} of ${lines.length} lines`,
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
