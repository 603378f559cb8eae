/** A JSON value with each of its texts mapped, names of fields left alone; the very same where nothing changed. */
export function mapTexts<T>(value: T, map: (text: string, field: string) => string): T {
  return mapIn(value, map, '') as T;
}

function mapIn(value: unknown, map: (text: string, field: string) => string, field: string): unknown {
  if (typeof value === 'string') return map(value, field);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapIn(item, map, field));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const fields = Object.entries(value).map(([name, item]) => [name, mapIn(item, map, name), item] as const);
  if (fields.every(([, mapped, item]) => mapped === item)) return value;
  return Object.fromEntries(fields);
}

/** Bytes, dates and the like are no JSON, and stay as they are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
