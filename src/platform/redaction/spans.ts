/** A part of a text in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Marker in place of a secret. */
export const REDACTED = '[redacted]';

const SHORT_MARKER = '[***]';

/** Spans in order, with overlapping ones joined. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The text with a marker in place of each span. Never longer than before, because schemas bound stored strings. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), markerFor(end - start));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function markerFor(length: number): string {
  if (length >= REDACTED.length) return REDACTED;
  return length >= SHORT_MARKER.length ? SHORT_MARKER : '*'.repeat(length);
}
