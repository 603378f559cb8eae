import { createHash } from 'node:crypto';

const SEAL = /,"sum":"([0-9a-f]{16})"\}$/;

/** A JSON value, or why a text holds none that may be used, as a sentence without a subject. */
export type Unsealed =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** An object with fields as one line of JSON whose last one, `sum`, tells whether a bit of those before it has changed. */
export function sealedLine(value: object): string {
  const begun = JSON.stringify(value).slice(0, -1);
  return `${begun},"sum":"${sumOf(begun)}"}`;
}

/** What `sealedLine` was given. A line without a seal, of an older version or made by hand, is taken as it is. */
export function unsealLine(line: string, parse: (text: string) => unknown = JSON.parse): Unsealed {
  const seal = SEAL.exec(line);
  if (seal === null) return unsealed(parsed(line, parse));
  const begun = line.slice(0, seal.index);
  return sumOf(begun) === seal[1] ? parsed(`${begun}}`, parse) : { ok: false, problem: NOT_AS_WRITTEN };
}

/** An object as JSON for people to read, sealed like a line. */
export function sealedText(value: object): string {
  return `${JSON.stringify({ ...value, sum: sumOf(JSON.stringify(value)) }, null, 2)}\n`;
}

/** What `sealedText` was given; a text without a seal is taken as it is. */
export function unsealText(text: string): Unsealed {
  const read = parsed(text, JSON.parse);
  if (!isObject(read) || !('sum' in read.value)) return unsealed(read);
  const { sum, ...value } = read.value;
  return sum === sumOf(JSON.stringify(value)) ? { ok: true, value } : { ok: false, problem: NOT_AS_WRITTEN };
}

/** A short digest of a text: enough against chance, none against anybody who means to deceive. */
export function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What is wrong with a value that its seal does not fit. */
export const NOT_AS_WRITTEN = 'it is not as it was written: its checksum differs';

/** What has no seal, as it is; what has one whose name or form was harmed is not as it was written. */
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
