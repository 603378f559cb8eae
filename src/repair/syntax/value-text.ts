/** Loaded into the test process: serialises values so that two of them can be compared as text. */

/** Separates a result's text from that of the arguments, if the call changed them. */
export const CHANGED = ' and changes its arguments to ';

/** Nested values beyond this number become `…`. */
const MAX_NODES = 1000;

/** Text of a value, equal for deeply equal values; `unreadable` if reading it throws. */
export function textOfValue(value: unknown): string {
  const seen = new Set<object>();
  let nodes = 0;
  const textOf = (part: unknown): string => {
    if (++nodes > MAX_NODES) return '…';
    if (typeof part === 'string') return JSON.stringify(part);
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'number') return part === 0 ? '0' : String(part);
    if (typeof part === 'function' || typeof part === 'symbol') return typeof part;
    if (typeof part !== 'object' || part === null) return String(part);
    if (seen.has(part)) return '↑';
    seen.add(part);
    const text = textOfObject(part, textOf);
    seen.delete(part);
    return text;
  };
  try {
    return textOf(value);
  } catch {
    return 'unreadable';
  }
}

function textOfObject(value: object, textOf: (part: unknown) => string): string {
  if (Array.isArray(value)) return `[${Array.from(value, textOf).join(',')}]`;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Date' || tag === 'RegExp' || tag === 'Number' || tag === 'String')
    return `${tag} ${String(value)}`;
  if (tag === 'Map' || tag === 'Set')
    return `${tag} ${[...(value as Iterable<unknown>)].map(textOf).join(',')}`;
  if (tag === 'Error') return `Error ${(value as Error).name}`;
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${key}:${textOf((value as Record<string, unknown>)[key])}`);
  return `{${fields.join(',')}}`;
}
