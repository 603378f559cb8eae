/** Something that may become a reflection of this repository, before anything of it was checked. */
export interface Candidate {
  /** File, and line or place in it, for people to find it again. */
  readonly origin: string;
  /** A record by AIWG's rules or by ours, if all is well; or why there is none, as a sentence without a subject. */
  readonly record: { readonly value: unknown } | { readonly problem: string };
  /** Fields of the source that a reflection has no place for. */
  readonly unmapped?: readonly string[];
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field's text; undefined where it is empty or something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list, or of one text alone. */
export function textsOf(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => textOf(item) ?? []);
}

/** Names of the fields that a mapping does not know. */
export function otherFields(fields: Fields, known: readonly string[]): string[] {
  return Object.keys(fields).filter((name) => !known.includes(name));
}
