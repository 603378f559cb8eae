import { builtinModules } from 'node:module';
import type { Node } from '@babel/types';
import { visit } from './declared-names.ts';

/** Numbers of a source that stand for something else. */
export interface NumberList {
  /** The text that the numbers spell, or the first numbers of an unreadable list. */
  readonly text: string;
  /** Line of the first number, 1-based. */
  readonly line: number;
  readonly does: string;
}

const SPELLS = 'has numbers that spell a text';
const UNREADABLE = 'has a long list of numbers that is not readable';
/** Fewer characters, or fewer letters among them, are as well a table of a parser. */
const SPELLED = 16;
const LETTERS = 0.5;
/** A list that is the name of something of the language, or reads as one word, is none. */
const NAMES = new Set(
  [globalThis, Object.prototype, Function.prototype, Reflect, process]
    .flatMap((it) => Object.getOwnPropertyNames(it))
    .concat(builtinModules, 'require', 'import', 'eval', 'https:', 'http:', 'window', 'document')
    .filter((name) => name.length >= 4),
);
const SHORTEST_WORD = 8;
const VOWELS = /[aeiou]/gi;
/** A longer list of bytes holds as much as a long word in base64. */
const LONG = 48;
/** Tables of digits, as check sums have them, repeat a few values. */
const DISTINCT = 20;
/** Numbers in a text, with the same few signs between them. */
const IN_TEXT = /(?<![\w.])\d{1,3}(?:[^\w.]{1,3}\d{1,3}){15,}(?![\w.])/g;
const HEX_IN_TEXT = /(?<![\w.])(?:0x)?[0-9a-f]{2}(?:[^\w.]{1,3}(?:0x)?[0-9a-f]{2}){15,}(?![\w.])/gi;
const SHOWN = 12;

interface Found {
  readonly value: number;
  readonly start: number;
  readonly line: number;
}

/**
 * Numbers that spell a text, in whatever expressions or comments they are; `isOfTest`: no others are looked for.
 */
export function numberListsIn(
  root: Node,
  {
    comments,
    isOfTest,
  }: {
    readonly comments: readonly { readonly value: string; readonly line: number }[];
    readonly isOfTest: boolean;
  },
): NumberList[] {
  const numbers: Found[] = [];
  const texts = [...comments];
  const all: (readonly Found[])[] = [];
  const lists: (readonly Found[])[] = [];
  visit(root, [], (node, parents) => {
    const line = node.loc!.start.line;
    if (node.type === 'NumericLiteral') numbers.push({ value: node.value, start: node.start!, line });
    if (node.type === 'StringLiteral') texts.push({ value: node.value, line });
    if (node.type === 'TemplateElement') texts.push({ value: node.value.raw, line });
    if (!isList(node)) return;
    const within = numbersWithin(node);
    all.push(within);
    if (!parents.some(isList)) lists.push(within);
  });
  numbers.sort((a, b) => a.start - b.start);
  const spelled = [
    ...runsOf(numbers),
    ...texts.flatMap(({ value, line }) => valuesIn(value).map((values) => ({ values, line }))),
  ].flatMap(({ values, line }) => {
    const text = String.fromCodePoint(...values);
    return isText(text) ? [{ text, line, does: SPELLS }] : [];
  });
  const words = all.flatMap((list) => {
    const values = list.map(({ value }) => value);
    const text = values.every(isCharacter) ? String.fromCodePoint(...values) : '';
    return isWord(text) && !isText(text) ? [{ text, line: list[0]!.line, does: SPELLS }] : [];
  });
  if (isOfTest) return [...spelled, ...words];
  return [
    ...spelled,
    ...words,
    ...lists.filter((list) => isUnreadable(list.map(({ value }) => value))).map(shown),
  ];
}

function isList({ type }: Node): boolean {
  return type === 'ArrayExpression' || /^(?:Optional)?Call|^New/.test(type);
}

/** The numbers of a list and of the lists in it. */
function numbersWithin(list: Node): Found[] {
  const found: Found[] = [];
  visit(list, [], (node, parents) => {
    const isItem = parents.every((it) => isList(it) || it.type === 'UnaryExpression');
    if (isItem && node.type === 'NumericLiteral')
      found.push({ value: node.value, start: node.start!, line: node.loc!.start.line });
  });
  return found;
}

/** Numbers that follow each other and are all codes of characters; zeros are left out, as in UTF-16. */
function runsOf(numbers: readonly Found[]): { readonly values: number[]; readonly line: number }[] {
  const runs: { values: number[]; line: number }[] = [];
  let run: { values: number[]; line: number } | undefined;
  for (const { value, line } of numbers) {
    if (value === 0) continue;
    if (!isCharacter(value)) run = undefined;
    else if (run === undefined) runs.push((run = { values: [value], line }));
    else run.values.push(value);
  }
  return runs;
}

function valuesIn(text: string): number[][] {
  const decimal = [...text.matchAll(IN_TEXT)].map(([it]) => it.match(/\d+/g)!.map(Number));
  const hex = [...text.matchAll(HEX_IN_TEXT)].map(([it]) =>
    it.match(/[0-9a-f]{2}(?!x)/gi)!.map((digits) => Number.parseInt(digits, 16)),
  );
  return [...decimal, ...hex].filter((values) => values.every(isCharacter));
}

function isCharacter(value: number): boolean {
  return (
    value === 9 || value === 10 || value === 13 || (Number.isInteger(value) && value >= 32 && value <= 126)
  );
}

/** Long enough, most of it letters, and no alphabet. */
function isText(text: string): boolean {
  if (text.length < SPELLED || new Set(text).size < SPELLED / 4) return false;
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  return letters / text.length >= LETTERS && !isSorted([...text].map((it) => it.codePointAt(0)!));
}

/** A known name, or letters with a share of vowels as words have it. */
function isWord(text: string): boolean {
  if (NAMES.has(text)) return true;
  if (text.length < SHORTEST_WORD || !/^[A-Za-z]+$/.test(text) || new Set(text).size < SHORTEST_WORD / 2)
    return false;
  const share = (text.match(VOWELS)?.length ?? 0) / text.length;
  return share >= 0.25 && share <= 0.6 && !isSorted([...text].map((it) => it.codePointAt(0)!));
}

function isUnreadable(values: readonly number[]): boolean {
  if (values.length < LONG || new Set(values).size < DISTINCT) return false;
  return values.every((value) => Number.isInteger(value)) && !isSorted(values);
}

/** A table that one looks up in: most of its values are larger than those before them, or all smaller. */
function isSorted(values: readonly number[]): boolean {
  const rising = values.filter((value, at) => at > 0 && value > values[at - 1]!).length;
  const share = rising / (values.length - 1);
  return share > 0.8 || share < 0.2;
}

function shown(list: readonly Found[]): NumberList {
  const text = list
    .slice(0, SHOWN)
    .map(({ value }) => value)
    .join(', ');
  return { text, line: list[0]!.line, does: UNREADABLE };
}
