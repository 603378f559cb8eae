import type { SettingSchema } from './setting-list.ts';

/**
 * A text from the command line or the environment → the setting's value. `previous` is the value of earlier uses of a
 * repeated flag. A text that is not valid becomes a value that the schema refuses.
 */
export type SettingParser = (text: string, previous?: unknown) => unknown;

/** The parser that fits the type of a setting. */
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

/** A text that is no number stays one: `auto` is allowed for some settings, and refused by the schema for others. */
function parseNumber(text: string): unknown {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

/** `NAME=COMMAND` adds an entry. Without `=` the entry has an empty command, which the schema refuses. */
function parseNamedText(text: string, previous: unknown): unknown {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { ...(previous as object | undefined), [name]: value };
}

/** `tests=0.5,types=0.3` → numbers by name. */
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
