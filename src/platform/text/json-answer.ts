import { parseBoundedJson } from './bounded-json.ts';

const ANSWER_BOUNDS = { maxParts: 20_000, maxDepth: 40 };
/** Longer replies are no answer. */
const MAX_CHARS = 200_000;
/** Places where an object may begin that are tried. */
const MAX_STARTS = 200;

/**
 * The JSON object that a model meant as its answer: the last one in the text, bare, in a fence, between prose or
 * inside another object, that has at least one of these keys. A sentence that says why there is none, else.
 */
export function findAnswer(text: string, keys: readonly string[]): object | string {
  if (text.length > MAX_CHARS) return `The reply has ${text.length} characters; it is to be one JSON object.`;
  const starts = /\{\s*"/g;
  let found: object | undefined;
  let problem: string | undefined;
  for (let tries = 0; tries < MAX_STARTS; tries++) {
    const start = starts.exec(text)?.index;
    if (start === undefined) break;
    const read = readObject(text, start);
    if (typeof read === 'string') problem ??= read;
    else if (keys.some((key) => Object.hasOwn(read.value, key))) found = read.value;
    const taken = typeof read !== 'string' && read.value === found;
    starts.lastIndex = taken ? read.end : start + 1;
  }
  return found ?? problem ?? 'The reply holds no JSON object of the kind that was asked for.';
}

/** The whole objects at the beginning of a list, and whether something that is none follows them. */
export interface CutList {
  readonly items: readonly object[];
  readonly isCut: boolean;
}

/** The last list with a key in an answer that is no JSON, because it does not end; without items if there is none. */
export function findCutList(text: string, key: string): CutList {
  const items: object[] = [];
  const list = [...text.slice(0, MAX_CHARS).matchAll(new RegExp(`"${key}"\\s*:\\s*\\[`, 'g'))].at(-1);
  if (list === undefined) return { items, isCut: false };
  for (let at = list.index + list[0].length; ;) {
    const start = at + /^[\s,]*/.exec(text.slice(at))![0].length;
    const read = text[start] === '{' ? readObject(text, start) : undefined;
    if (read === undefined || typeof read === 'string')
      return { items, isCut: read !== undefined || text.slice(at, start).includes(',') };
    items.push(read.value);
    at = read.end;
  }
}

function readObject(text: string, start: number): { readonly value: object; readonly end: number } | string {
  const end = endOfObject(text, start);
  if (end === undefined) return 'The JSON object in the reply does not end: a brace or a quote is missing.';
  try {
    return { value: parseBoundedJson(text.slice(start, end), ANSWER_BOUNDS) as object, end };
  } catch (error) {
    return `The reply is no JSON that can be read: ${(error as Error).message}`;
  }
}

/** Where the braces that open at `start` are closed, those in strings not counted. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth++;
    else if (!quoted && character === '}' && --depth === 0) return at + 1;
  }
  return undefined;
}
