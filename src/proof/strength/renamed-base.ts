import { diffArrays } from 'diff';
import type { Node } from '@babel/types';
import { applyEdits, type TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, parseSource, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { isFunction, nearest, sitesOf, type Site } from '../../repair/syntax/walk.ts';
import { isDeclared, isKey } from '../surroundings/names.ts';
import { wordsOf } from './changed-words.ts';

/**
 * The base's text with the names that the result gives to the same things: first of the whole file, then within each function.
 * What still differs from the result is more than a name. A name counts as another one's successor where the one is gone, the
 * other is new, and both stand in the same places.
 */
export function renamedBase(file: string, base: string, result: ParsedSource): string {
  const before = parseSource(file, base);
  if ('problem' in before) return base;
  const whole = rename(before.text, namesIn(before), result.text, namesIn(result));
  const renamed = parseSource(file, whole);
  if ('problem' in renamed) return base;
  const parts = functionsIn(result);
  const edits = [...functionsIn(renamed)].flatMap(([name, part]) => {
    const own = parts.get(name);
    if (own === undefined || own.text === part.text) return [];
    const text = rename(part.text, part.names, own.text, own.names);
    return text === part.text ? [] : [{ ...part.range, replacement: text }];
  });
  const text = applyEdits(whole, edits);
  return 'problem' in parseSource(file, text) ? whole : text;
}

/** A place where a name of the file's own stands. Private names begin with `#`. */
interface NamePlace {
  readonly name: string;
  /** Offsets of the name, without `#`. */
  readonly start: number;
  readonly end: number;
  /** Whether the name is given here. */
  readonly isGiven: boolean;
  /** `{ name }`: the name of the member stays. */
  readonly isShorthand: boolean;
}

/** The names of variables, functions and classes, and private names. Names of members and of imports are left out. */
function namesIn({ tree }: ParsedSource): NamePlace[] {
  return placesOf(sitesOf(tree.program));
}

function placesOf(sites: readonly Site[]): NamePlace[] {
  return sites.flatMap((site): NamePlace[] => {
    const { node, parent } = site;
    if (node.type !== 'Identifier') return [];
    const isPrivate = parent?.node.type === 'PrivateName';
    const isShorthand = isShort(isTarget(site) ? parent?.parent : parent);
    // The key and the value of `{ name }` are the same text.
    if ((!isPrivate && isKey(site)) || (isShorthand && site.key === 'key')) return [];
    const isGiven = isPrivate ? parent.key === 'key' : isDeclared(site) || isTarget(site);
    const start = startOf(node);
    const name = isPrivate ? `#${node.name}` : node.name;
    return [{ name, start, end: start + node.name.length, isGiven, isShorthand }];
  });
}

/** Whether the key and the value of a member are one text. */
function isShort(site: Site | undefined): boolean {
  return site?.node.type === 'ObjectProperty' && site.node.shorthand;
}

/** Whether a default value follows in a pattern: `{ name = 1 }`. */
function isTarget({ key, parent }: Site): boolean {
  return key === 'left' && parent?.node.type === 'AssignmentPattern';
}

/** A text with the names that another text gives to the same things. */
function rename(
  text: string,
  before: readonly NamePlace[],
  result: string,
  after: readonly NamePlace[],
): string {
  const [was, now] = [new Set(before.map(({ name }) => name)), new Set(after.map(({ name }) => name))];
  const isGone = (name: string): boolean =>
    was.has(name) && !now.has(name) && before.some((it) => it.name === name && it.isGiven);
  // A name of the language, such as `Array`, is no other name of a variable.
  const isNew = (name: string): boolean =>
    now.has(name) && !was.has(name) && after.some((it) => it.name === name && it.isGiven);
  if (![...was].some(isGone)) return text;
  const successors = new Map<string, string>();
  for (const [from, to] of pairsOf(text, result))
    for (const sign of ['', '#']) {
      const [old, other] = [sign + from, sign + to];
      const isTaken = [...successors].some(([key, value]) => key === old || value === other);
      if (isGone(old) && isNew(other) && !isTaken) successors.set(old, other);
    }
  const edits = before.flatMap(({ name, start, end, isShorthand }): TextEdit[] => {
    const successor = successors.get(name)?.replace('#', '');
    if (successor === undefined) return [];
    return [{ start, end, replacement: isShorthand ? `${text.slice(start, end)}: ${successor}` : successor }];
  });
  return applyEdits(
    text,
    edits.toSorted((a, b) => a.start - b.start),
  );
}

/** Most words that may differ. */
const MAX_CHANGED = 2000;
const NAME = /^[\p{ID_Start}$_]/u;

/** Names that stand in each other's places, the most frequent pair first. */
function pairsOf(before: string, after: string): [string, string][] {
  const [was, now] = [before, after].map((text) => wordsOf(text).map((word) => word.text));
  const changes = diffArrays(was!, now!, { maxEditLength: MAX_CHANGED }) ?? [];
  const counts = new Map<string, number>();
  changes.forEach(({ removed, value }, at) => {
    const next = changes[at + 1];
    if (!removed || !next?.added) return;
    const [from, to] = [value, next.value].map((words) => words.filter((word) => NAME.test(word)));
    if (from!.length !== to!.length) return;
    from!.forEach((name, place) => {
      const pair = JSON.stringify([name, to![place]]);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    });
  });
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([pair]) => JSON.parse(pair) as [string, string])
    .filter(([from, to]) => from !== to);
}

/** A function that stands in no other one. */
interface Part {
  readonly text: string;
  readonly range: { readonly start: number; readonly end: number };
  /** Offsets from the function's start. */
  readonly names: readonly NamePlace[];
}

/** The outermost functions of a file by their names; those that share a name are left out. */
function functionsIn({ tree, text }: ParsedSource): Map<string, Part> {
  const sites = sitesOf(tree.program);
  const outermost = sites.filter(
    ({ node, parent }) => isFunction(node) && (!parent || nearest(parent, isFunction) === undefined),
  );
  const byName = Map.groupBy(outermost, nameOfFunction);
  return new Map(
    [...byName].flatMap(([name, found]): [string, Part][] => {
      const [site] = found;
      if (name === undefined || found.length > 1) return [];
      const [start, end] = [startOf(site!.node), endOf(site!.node)];
      const own = sites.filter(({ node }) => start <= startOf(node) && endOf(node) <= end);
      const names = placesOf(own).map((it) => ({ ...it, start: it.start - start, end: it.end - start }));
      return [[name, { text: text.slice(start, end), range: { start, end }, names }]];
    }),
  );
}

/** `Cart.add`, `add`; undefined for a function without a name. */
function nameOfFunction({ node, parent }: Site): string | undefined {
  const owner = 'key' in node || 'id' in node ? node : parent?.node;
  const own = owner && nameIn(owner);
  const above = parent && nearest(parent, (it) => it.type.startsWith('Class') && 'body' in it && 'id' in it);
  return own === undefined || above === undefined ? own : `${nameIn(above.node) ?? ''}.${own}`;
}

function nameIn(node: Node): string | undefined {
  const name = 'id' in node ? node.id : 'key' in node ? node.key : undefined;
  if (typeof name !== 'object' || name === null) return undefined;
  if (name.type === 'PrivateName') return `#${name.id.name}`;
  return name.type === 'Identifier' ? name.name : undefined;
}
