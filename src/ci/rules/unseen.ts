import type { Identifier } from '@babel/types';
import { hiddenIn } from '../../platform/text/printable.ts';
import { likeAscii } from '../../workspace/deliver/look-alikes.ts';
import { parsedOf } from '../../workspace/protect/suppressions/parse-source.ts';

/** A text of a changed file, before and after; undefined: there is no file. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const ASCII = /^[\0-\x7f]*$/;
/** Keys of a node that hold no part of the code. */
const ASIDE = /^(?:loc|extra|\w+Comments)$/;
const BINARY = '\0';
/** Scripts whose letters are joined or kept apart by characters that are not seen. */
const JOINED =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}';
/**
 * Characters that are not seen where ordinary text has them: the end of a line on Windows, what joins two emoji, and what
 * joins letters of such a script or keeps them apart.
 */
const ORDINARY = new RegExp(
  [
    '\\r(?=\\n)',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    `(?<=[${JOINED}])[\\u200C\\u200D](?=[${JOINED}])`,
  ].join('|'),
  'gu',
);
const WORD = /[\p{L}\p{M}\p{N}_$]{3,}/gu;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const LETTER = /[a-z]/i;
/** Letters that look like a sign of punctuation. */
const LIKE_SIGNS = /[ǀ-ǃʹʺʻʼʽˈˌː꞉Ꞌꞌꓸ-ꓽ]/u;

/**
 * Why a changed file is not what a reader sees, as the end of "The patch …"; undefined if it is. A character that is not seen,
 * an identifier that reads as one in ASCII, and a word that does by a letter of another script among ASCII ones
 * may stay where the file had them. Neither is text of a source that lies far to the right.
 */
export function problemOfUnseen({ path, before = '', after }: ChangedText): string | undefined {
  if (!SOURCE.test(path) && after.includes(BINARY)) return undefined;
  const shown = JSON.stringify(path);
  const found =
    firstHidden(before, after) ??
    firstLookAlike(path, before, after) ??
    (SOURCE.test(path) ? firstOutOfSight(before, after) : undefined);
  return found === undefined
    ? undefined
    : `changes ${shown} so that line ${lineAt(after, found.index)} has ${found.text}; --allow ${shown} permits it`;
}

interface Found {
  readonly index: number;
  readonly text: string;
}

/** Code that follows so many blanks, or so much of a line, that a reader would have to scroll to it. */
const FAR = /(?<=\S)[^\S\n]{80,}(?=\S)|(?<=^.{1000})./gm;

function firstOutOfSight(before: string, after: string): Found | undefined {
  const known = new Set(before.split('\n'));
  const isLong = [...known].some((line) => line.length > 1000);
  for (const { 0: found, index } of after.matchAll(FAR)) {
    const isBlank = found.trim() === '';
    const line = after.slice(after.lastIndexOf('\n', index - 1) + 1).split('\n', 1)[0]!;
    if (known.has(line) || (!isBlank && isLong)) continue;
    return { index, text: isBlank ? 'text behind many blanks' : 'text behind 1,000 other characters' };
  }
  return undefined;
}

function firstHidden(before: string, after: string): Found | undefined {
  const known = new Set(hiddenOf(before).map(({ character }) => character));
  const first = hiddenOf(after).find(({ character }) => !known.has(character));
  return first && { index: first.index, text: `the character ${codeOf(first.character)}, which is not seen` };
}

function hiddenOf(text: string): ReturnType<typeof hiddenIn> {
  return hiddenIn(text.replace(ORDINARY, ' '));
}

function firstLookAlike(path: string, before: string, after: string): Found | undefined {
  if (ASCII.test(after)) return undefined;
  for (const [kind, namesIn] of [
    ['name', (text: string) => (SOURCE.test(path) ? identifiersIn(path, text) : [])],
    ['word', mixedWordsIn],
  ] as const) {
    const suspects = namesIn(after).flatMap((it) => alike(kind, it) ?? []);
    if (suspects.length === 0) continue;
    const known = new Set(namesIn(before).map(({ name }) => name));
    const first = suspects.find(({ name }) => !known.has(name));
    if (first !== undefined) return first;
  }
  return undefined;
}

interface Name {
  readonly name: string;
  readonly index: number;
}

function alike(kind: 'name' | 'word', { name, index }: Name): (Name & Found) | undefined {
  const shown = `the ${kind} ${JSON.stringify(name)}`;
  const sign = kind === 'name' ? LIKE_SIGNS.exec(name)?.[0] : undefined;
  if (sign !== undefined)
    return { name, index, text: `${shown}, in which ${codeOf(sign)} looks like a sign` };
  const reading = likeAscii(name);
  if (reading === undefined) return undefined;
  const other = [...name].find((it) => it > '\x7f')!;
  return {
    name,
    index,
    text: `${shown}, which reads like ${JSON.stringify(reading)} but has ${codeOf(other)}`,
  };
}

/** Words with letters of ASCII and of another script. */
function mixedWordsIn(text: string): readonly Name[] {
  return [...text.matchAll(WORD)]
    .map(({ 0: name, index }) => ({ name, index }))
    .filter(({ name }) => OTHER_SCRIPT.test(name) && LETTER.test(name));
}

/** Names beyond ASCII in the code of a source, in their order. */
function identifiersIn(path: string, text: string): readonly Name[] {
  const found: Name[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, name, start } = value as Partial<Identifier>;
    if (type !== undefined && /^(?:JSX)?Identifier$/.test(type) && name && typeof start === 'number') {
      if (!ASCII.test(name)) found.push({ name, index: start });
    }
    for (const [key, part] of Object.entries(value)) if (!ASIDE.test(key)) visit(part);
  };
  visit(parsedOf(path, text)?.root);
  return found.toSorted((a, b) => a.index - b.index);
}

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
