import type { Node } from '@babel/types';
import { boundNames } from '../../syntax/functions.ts';
import { endOf, startOf } from '../../syntax/parse.ts';
import { isFunction, runsPerCall, type Site } from '../../syntax/walk.ts';
import type { Operator, SourceView } from '../operator.ts';
import { valuesAt } from './names-near.ts';
import { insertion, placeAt, type Place } from './places.ts';

const MAX_CHARS = 90;
const MOST_DONORS = 24;
const MOST_NAMES = 4;
const MOST_VARIED = 6;
/** Characters within which another statement counts as near. */
const NEAR = 3000;
const OPPOSITE_FACTOR = 0.6;
const RENAMED_FACTOR = 0.7;
const VARIED_FACTOR = 0.4;

/** Inserts a short statement of another function of the file, with a name of its own replaced, or the opposite of one. */
export const donorStatement: Operator = {
  name: 'donor-statement',
  prior: 0.08,
  *propose(site, source) {
    const place = placeAt(site, source);
    if (place === undefined) return;
    const names = valuesAt(place, source).map(({ name }) => name);
    const visible = new Set(source.visibleAt(place.site).map(({ name }) => name));
    let count = 0;
    for (const donor of donorsNear(place, source)) {
      if (count === MOST_DONORS) return;
      if ((donor.usesThis && !place.hasThis) || (donor.isReturn && site.node.type !== 'BlockStatement'))
        continue;
      const unknown = donor.names.filter((name) => !visible.has(name));
      if (unknown.length > 1) continue;
      count++;
      const nearness = Math.abs(donor.start - place.offset) <= NEAR ? 1 : 0.7;
      for (const [text, factor] of adapted(donor, {
        unknown: unknown[0],
        names,
        isVaried: count <= MOST_VARIED,
      }))
        yield insertion(place, text, factor * nearness);
    }
  },
};

interface Donor {
  readonly text: string;
  readonly start: number;
  /** Names that the file binds and the statement uses. */
  readonly names: readonly string[];
  readonly usesThis: boolean;
  readonly isReturn: boolean;
}

/**
 * The statement, and its opposite; with the name that is not visible replaced by each of the others, or with one of its
 * names replaced.
 */
function* adapted(
  { text, names: own }: Donor,
  {
    unknown,
    names,
    isVaried,
  }: { readonly unknown: string | undefined; readonly names: readonly string[]; readonly isVaried: boolean },
): Generator<readonly [string, number]> {
  const others = names.filter((name) => !own.includes(name)).slice(0, MOST_NAMES);
  const renamed = (name: string): string[] => others.map((other) => text.replace(wordOf(name), () => other));
  const variants =
    unknown === undefined
      ? [
          [text, 1] as const,
          ...(isVaried ? own : [])
            .filter((name) => names.includes(name))
            .flatMap(renamed)
            .map((variant) => [variant, VARIED_FACTOR] as const),
        ]
      : renamed(unknown).map((variant) => [variant, RENAMED_FACTOR] as const);
  for (const [variant, factor] of variants) {
    yield [variant, factor];
    const opposite = oppositeOf(variant);
    if (opposite !== undefined) yield [opposite, factor * OPPOSITE_FACTOR];
  }
}

/** `size++` ↔ `size--`, `x += y` ↔ `x -= y`, `x = true` ↔ `x = false`. */
function oppositeOf(text: string): string | undefined {
  for (const [one, other] of OPPOSITES) {
    if (text.includes(one)) return text.replace(one, other);
    if (text.includes(other)) return text.replace(other, one);
  }
  return undefined;
}

const OPPOSITES = [
  ['++', '--'],
  [' += ', ' -= '],
  ['= true;', '= false;'],
] as const;

const byFile = new WeakMap<readonly Site[], readonly Donor[]>();

/** Donors that begin elsewhere, the nearest first. */
function donorsNear({ offset }: Place, source: SourceView): readonly Donor[] {
  const known = byFile.get(source.sites) ?? donorsOf(source);
  byFile.set(source.sites, known);
  return known
    .filter(({ start }) => start !== offset)
    .toSorted((a, b) => Math.abs(a.start - offset) - Math.abs(b.start - offset));
}

function donorsOf(source: SourceView): Donor[] {
  const bound = new Set(source.sites.flatMap(({ node }) => boundAt(node)));
  const found = new Map<string, Donor>();
  for (const site of source.sites) {
    const { node } = site;
    if (!isDonor(node) || !runsPerCall(site)) continue;
    const text = source.textOf(node);
    if (text.length > MAX_CHARS || text.includes('\n') || found.has(text)) continue;
    const own = source.within(node);
    const inner = new Set(own.flatMap((part) => boundAt(part.node)));
    const names = own.flatMap((part) => {
      const name = part.node.type === 'Identifier' && !isKey(part) ? part.node.name : undefined;
      return name !== undefined && bound.has(name) && !inner.has(name) ? [name] : [];
    });
    found.set(text, {
      text: /[;}]$/.test(text) ? text : `${text};`,
      start: startOf(node),
      names: [...new Set(names)],
      usesThis: own.some((part) => part.node.type === 'ThisExpression'),
      isReturn: node.type === 'ReturnStatement',
    });
  }
  return [...found.values()];
}

/** Expressions that change something, guards, and results. */
function isDonor(node: Node): boolean {
  if (node.type === 'ExpressionStatement') return !/Literal$/.test(node.expression.type);
  if (node.type === 'ReturnStatement') return Boolean(node.argument);
  if (node.type !== 'IfStatement' || node.alternate) return false;
  const { consequent } = node;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last !== undefined && endOf(last) > 0 && /^(Return|Throw|Continue)Statement$/.test(last.type);
}

function boundAt(node: Node): string[] {
  if (node.type === 'VariableDeclarator') return boundNames(node.id);
  if (isFunction(node)) {
    const { params, id } = node as unknown as { params: Node[]; id?: Node | null };
    return [...params.flatMap(boundNames), ...(id?.type === 'Identifier' ? [id.name] : [])];
  }
  return node.type === 'ClassDeclaration' && node.id ? [node.id.name] : [];
}

/** Whether the name is that of a property. */
function isKey({ key, parent }: Site): boolean {
  const { computed, shorthand } = (parent?.node ?? {}) as { computed?: boolean; shorthand?: boolean };
  return (key === 'property' || key === 'key') && computed !== true && shorthand !== true;
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$.])${name.replace(/[$]/g, '\\$&')}(?![\\w$])`, 'g');
}
