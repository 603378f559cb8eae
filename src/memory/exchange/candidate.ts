/** A possible reflection from outside, unchecked. */
export interface Candidate {
  /** File, with the line or position in it, for people. */
  readonly origin: string;
  /** A value that should satisfy AIWG's schema or ralph's; or why there is none, as a sentence without a subject. */
  readonly record: { readonly value: unknown } | { readonly problem: string };
  /** Fields of the source that have no equivalent in a reflection. */
  readonly unmapped?: readonly string[];
}

/** A JSON object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a text that is not blank; else undefined. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts in a list, or the text itself; blank ones and other values are left out. */
export function textsIn(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => textIn(item) ?? []);
}

/** Names of the fields that are not among `known`. */
export function otherFields(fields: Fields, known: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => !known.includes(name));
}
