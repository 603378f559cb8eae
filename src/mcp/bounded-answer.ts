import { redactValue } from '../platform/redaction/redact.ts';

/** Of one answer, in characters of JSON: what fits a model's context beside everything else. */
const MAX_CHARS = 24_000;
const MAX_TEXT = 4000;

/**
 * A list as one bounded answer without secrets: long texts are cut, then items are left out from the end, and
 * `cut` says what is missing. At most `limit` of the items are shown; one more says that there are more.
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
      ? [`there are more ${name} than these ${shown.length}; ask more narrowly`]
      : []),
    ...(cutTexts > 0 ? [`${cutTexts} texts were cut at ${MAX_TEXT} characters`] : []),
  ];
  return { shown: shown.length, ...(cut.length > 0 && { cut: cut.join('; ') }), [name]: shown };
}

/** A text as one bounded answer without secrets, that says at its end what is missing. */
export function boundedText(text: string): string {
  const clean = redactValue(text);
  if (clean.length <= MAX_CHARS) return clean;
  return `${clean.slice(0, MAX_CHARS)}\n\n[cut: ${clean.length - MAX_CHARS} of ${clean.length} characters are left out]`;
}

function cutTextsIn(value: unknown, onCut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_TEXT) return value;
    onCut();
    return `${value.slice(0, MAX_TEXT)} [cut]`;
  }
  if (Array.isArray(value)) return value.map((item) => cutTextsIn(item, onCut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutTextsIn(item, onCut)]));
}
