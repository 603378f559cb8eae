import type { SettingSchema } from './setting-list.ts';

/**
 * Parses a text from the command line or the environment to the setting's value. `previous` is the value so far of a
 * repeated flag. Never throws: an invalid text becomes a value that the schema refuses.
 */
export type SettingParser = (text: string, previous?: unknown) => unknown;

/** The parser for the type of a setting. */
export function parserFor({ type, oneOf, additionalProperties, separator }: SettingSchema): SettingParser {
  if (type === 'boolean') return parseBoolean;
  if (type === 'integer' || type === 'number' || oneOf?.some((one) => one.type === 'integer'))
    return parseNumber;
  if (type === 'array') return (text, previous) => [...itemsOf(previous), ...split(text, separator)];
  if (type !== 'object') return (text) => text;
  return (additionalProperties as SettingSchema).type === 'string' ? parseNamedText : parseNumbers;
}

function parseBoolean(text: string): unknown {
  if (text === '' || text === '1' || text === 'true') return true;
  return text === '0' || text === 'false' ? false : text;
}

/** A text that is not a number is returned unchanged: some settings accept `auto`, the schema refuses other texts. */
function parseNumber(text: string): unknown {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Adds an entry for `NAME=COMMAND`. Without `=` the command is empty, which the schema refuses. */
function parseNamedText(text: string, previous: unknown): unknown {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { ...(previous as object | undefined), [name]: value };
}

/** `tests=0.5,types=0.3` → `{ tests: 0.5, types: 0.3 }`. */
function parseNumbers(text: string): unknown {
  const entries = text.split(',').map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return [name.trim(), parseNumber(value)];
  });
  return Object.fromEntries(entries) as unknown;
}

function itemsOf(previous: unknown): readonly string[] {
  return (previous as readonly string[] | undefined) ?? [];
}

function split(text: string, separator: string | undefined): string[] {
  return separator === undefined ? [text] : text.split(separator).filter((item) => item !== '');
}
