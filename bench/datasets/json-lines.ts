import { readFile } from 'node:fs/promises';
import { messageOf, usageError } from '../../src/errors.ts';

/** One object of a file of JSON lines, and its place for messages. */
export interface JsonLine {
  /** `file:line`, 1-based. */
  readonly place: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Reads a file of JSON objects, one per line, without empty lines. Throws a usage error with file and line. */
export async function readJsonLines(file: string): Promise<JsonLine[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageError(`${file} cannot be read: ${messageOf(error)}`);
  });
  return parseJsonLines(file, text);
}

/** Parses JSON lines; `file` is for messages. Throws as `readJsonLines` does. */
export function parseJsonLines(file: string, text: string): JsonLine[] {
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    return line.trim() === '' ? [] : [{ place, record: parseRecord(place, line) }];
  });
}

function parseRecord(place: string, line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw usageError(`${place}: not JSON: ${messageOf(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usageError(`${place}: it must be a JSON object.`);
}
