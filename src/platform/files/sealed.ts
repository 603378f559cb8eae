import { createHash } from 'node:crypto';

const SEAL = /,"sum":"([0-9a-f]{16})"\}$/;

/** A JSON value, or why the text has no usable one. */
export type Unsealed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** One line of JSON for an object with at least one field; its last field, `sum`, is a checksum of the others. */
export function sealedLine(value: object): string {
  const begun = JSON.stringify(value).slice(0, -1);
  return `${begun},"sum":"${sumOf(begun)}"}`;
}

/** Reverses `sealedLine`. A line without a seal, from an older version or written by hand, is accepted unchecked. */
export function unsealLine(line: string, parse: (text: string) => unknown = JSON.parse): Unsealed {
  const seal = SEAL.exec(line);
  if (seal === null) return unsealed(parsed(line, parse));
  const begun = line.slice(0, seal.index);
  return sumOf(begun) === seal[1] ? parsed(`${begun}}`, parse) : { ok: false, problem: NOT_AS_WRITTEN };
}

/** Indented JSON for an object, with the same checksum as a line. */
export function sealedText(value: object): string {
  return `${JSON.stringify({ ...value, sum: sumOf(JSON.stringify(value)) }, null, 2)}\n`;
}

/** Reverses `sealedText`. A text without a seal is accepted unchecked. */
export function unsealText(text: string): Unsealed {
  const read = parsed(text, JSON.parse);
  if (!isObject(read) || !('sum' in read.value)) return unsealed(read);
  const { sum, ...value } = read.value;
  return sum === sumOf(JSON.stringify(value)) ? { ok: true, value } : { ok: false, problem: NOT_AS_WRITTEN };
}

/** The first 64 bits of SHA-256 in hexadecimal: detects damage, not manipulation. */
export function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** The problem of a value whose checksum differs. */
export const NOT_AS_WRITTEN = 'it is not as it was written: its checksum differs';

/** Accepts a value without a seal, but not one whose seal is damaged so that it was not recognised. */
function unsealed(read: Unsealed): Unsealed {
  if (!isObject(read)) return read;
  const last = Object.values(read.value).at(-1);
  const hadSeal = 'sum' in read.value || (typeof last === 'string' && /^[0-9a-f]{16}$/.test(last));
  return hadSeal ? { ok: false, problem: NOT_AS_WRITTEN } : read;
}

function isObject(read: Unsealed): read is { readonly ok: true; readonly value: Record<string, unknown> } {
  return read.ok && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value);
}

function parsed(text: string, parse: (text: string) => unknown): Unsealed {
  try {
    return { ok: true, value: parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
