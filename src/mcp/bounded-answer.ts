import { plural } from '../platform/text/plural.ts';
import { redactValue } from '../platform/redaction/redact.ts';

/** Maximum characters of JSON in one answer, so that it fits into a model's context. */
const MAX_CHARS = 24_000;
const MAX_TEXT_CHARS = 4000;

/**
 * Builds a bounded, redacted answer from a list: long texts are cut, then items are dropped from the end; `cut` describes
 * what is missing. At most `limit` items are shown; pass one more to signal that there are more.
 */
export function boundedList(
  name: string,
  items: readonly object[],
  limit = items.length,
): Record<string, unknown> {
  const shown: unknown[] = [];
  let [chars, cutTexts] = [0, 0];
  for (const item of items.slice(0, limit)) {
    const clean = cutTextsIn(redactValue(item), () => cutTexts++);
    const size = JSON.stringify(clean).length;
    if (chars + size > MAX_CHARS && shown.length > 0) break;
    shown.push(clean);
    chars += size;
  }
  const cut = [
    ...(shown.length < items.length
      ? [`only ${shown.length} ${name} are shown; narrow the query for others`]
      : []),
    ...(cutTexts > 0 ? [`${plural(cutTexts, 'text')} cut at ${MAX_TEXT_CHARS} characters`] : []),
  ];
  return { shown: shown.length, cut: cut.length > 0 ? cut.join('; ') : undefined, [name]: shown };
}

/** Builds a bounded, redacted answer from a text, with a note at its end if it was cut. */
export function boundedText(text: string): string {
  const clean = redactValue(text);
  if (clean.length <= MAX_CHARS) return clean;
  return `${clean.slice(0, MAX_CHARS)}\n\n[cut: ${clean.length - MAX_CHARS} of ${clean.length} characters left out]`;
}

function cutTextsIn(value: unknown, onCut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT_CHARS) return value;
    onCut();
    return `${value.slice(0, MAX_TEXT_CHARS)} [cut]`;
  }
  if (Array.isArray(value)) return value.map((item) => cutTextsIn(item, onCut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutTextsIn(item, onCut)]));
}
