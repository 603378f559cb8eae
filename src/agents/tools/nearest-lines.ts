import type { Edit } from './locate-edit.ts';
import { similarityTo, lineSimilarity } from './line-similarity.ts';

const MAX_SHOWN = 8;
const MAX_LINE_CHARS = 200;
const MAX_LINES_COMPARED = 60;
const MAX_ANCHORS = 3;
const MAX_PLACES = 5;
const MIN_SIMILARITY = 0.45;
/** Shorter texts occur by chance. */
const MIN_NEW_TEXT = 10;

interface Place {
  /** 0-based line of the file compared with the first line of the old text. */
  readonly start: number;
  /** The similarity of each line of the old text, 0..1. */
  readonly similarities: readonly number[];
  readonly total: number;
}

/** Explains to the model that old text is missing, with the most similar lines and their differences. */
export function describeMissingText(text: string, { oldText, newText }: Edit): string {
  const lines = linesOf(text);
  const old = linesOf(oldText.replace(/\n$/, ''));
  const place = nearestPlace(lines, old);
  const already = hintOfNewText(lines.join('\n'), newText);
  return place === undefined
    ? `oldText is not in the file, and no line is similar.${already} Read the file again.`
    : `oldText is not in the file.${already} ${render(lines, old, place)}`;
}

/** A hint if the edit has probably been made before. */
function hintOfNewText(text: string, newText: string): string {
  const at = newText.trim().length < MIN_NEW_TEXT ? -1 : text.indexOf(newText);
  return at === -1 ? '' : ` newText is in the file already, at line ${text.slice(0, at).split('\n').length}.`;
}

function nearestPlace(lines: readonly string[], old: readonly string[]): Place | undefined {
  const places = likelyStarts(lines, old).map((start) => compare(lines, old, start));
  const best = places.sort((a, b) => b.total - a.total || a.start - b.start)[0];
  return best !== undefined && best.total >= MIN_SIMILARITY ? best : undefined;
}

/** The starts at which the longest lines of the old text match best, at most five. */
function likelyStarts(lines: readonly string[], old: readonly string[]): number[] {
  const votes = new Map<number, number>();
  for (const [index, anchor] of anchorsOf(old)) {
    const similarity = similarityTo(anchor);
    for (const [at, line] of lines.entries()) {
      const weight = similarity(line, MIN_SIMILARITY);
      const start = Math.max(0, at - index);
      if (weight >= MIN_SIMILARITY) votes.set(start, (votes.get(start) ?? 0) + weight * anchor.length);
    }
  }
  return [...votes]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_PLACES)
    .map(([start]) => start);
}

function anchorsOf(old: readonly string[]): [number, string][] {
  return [...old.slice(0, MAX_LINES_COMPARED).entries()]
    .filter(([, line]) => line.trim() !== '')
    .sort((a, b) => b[1].trim().length - a[1].trim().length)
    .slice(0, MAX_ANCHORS);
}

/** Compares line by line; `total` is the mean weighted by line length. */
function compare(lines: readonly string[], old: readonly string[], start: number): Place {
  const compared = old.slice(0, MAX_LINES_COMPARED);
  const similarities = compared.map((line, index) => lineSimilarity(lines[start + index] ?? '', line));
  const weights = compared.map((line) => line.trim().length + 1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const total = similarities.reduce((so, value, index) => so + value * weights[index]!, 0) / sum;
  return { start, similarities, total };
}

function render(lines: readonly string[], old: readonly string[], { start, similarities }: Place): string {
  const firstDifference = similarities.findIndex((value) => value < 1);
  const skipped = similarities.length <= MAX_SHOWN ? 0 : Math.max(0, firstDifference - 2);
  const shown = similarities
    .slice(skipped, skipped + MAX_SHOWN)
    .flatMap((value, index) =>
      start + skipped + index < lines.length ? [[skipped + index, value] as const] : [],
    );
  const numbered = shown.map(([index, value]) => {
    const mark = value === 1 ? 'same' : `${Math.min(99, Math.round(value * 100))}%`;
    return `${start + index + 1} ${mark.padStart(4)}: ${cut(lines[start + index]!)}`;
  });
  const different = shown.filter(([, value]) => value < 1).slice(0, 2);
  const differences = different.map(
    ([index]) =>
      `Line ${start + index + 1} differs in ${differenceOf(lines[start + index]!, old[index]!)}; oldText has: ${cut(old[index]!)}`,
  );
  const beyond =
    start + similarities.length > lines.length ? ['oldText continues beyond the end of the file.'] : [];
  const last = Math.min(lines.length, start + similarities.length);
  return [`The most similar lines are ${start + 1}-${last}:`, ...numbered, ...differences, ...beyond].join(
    '\n',
  );
}

function differenceOf(line: string, old: string): string {
  const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
  if (line.trim() === old.trim())
    return line.trimEnd() === old.trimEnd() ? 'white space at its end' : 'indentation';
  if (squeeze(line) === squeeze(old)) return 'white space';
  return line.toLowerCase() === old.toLowerCase() ? 'upper and lower case' : 'text';
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

function linesOf(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
