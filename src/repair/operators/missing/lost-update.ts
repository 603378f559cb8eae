import type { Node } from '@babel/types';
import type { Binding } from '../../syntax/bindings.ts';
import { bare } from '../../syntax/walk.ts';
import { startOf } from '../../syntax/parse.ts';
import { isCallable } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { writesOf } from './frozen-cells.ts';
import { expressionsAt, type Value } from './names-near.ts';
import { insertion, placeAt, type Place } from './places.ts';

const MOST_FROZEN = 4;

/** Changes a variable or a member of `this` that keeps its initial value: `count++;`, `seen.add(key);`, `this.open = true;`. */
export const lostUpdate: Operator = {
  name: 'lost-update',
  prior: 0.25,
  *propose(site, source) {
    const place = placeAt(site, source);
    if (place === undefined) return;
    const values = expressionsAt(place, source);
    for (const { text, init, canAssign } of cellsAt(place, source)) {
      const others = values.filter((value) => value.text !== text);
      for (const [statement, factor] of updatesOf(text, init, others)) {
        if (canAssign || !/^[\w$]+ *([-+]?=|\+\+|--)/.test(statement))
          yield insertion(place, statement, factor);
      }
    }
  },
};

/** A variable or member that never changes. */
interface Cell {
  readonly text: string;
  readonly init: Node | undefined;
  readonly canAssign: boolean;
}

function cellsAt(place: Place, source: SourceView): Cell[] {
  const { frozen, isWritten } = writesOf(source);
  const variables = source
    .visibleAt(place.site)
    .filter((binding) => binding.owner >= 0 && !isCallable(binding, source))
    .filter(({ name, start, end }) => !isWritten(name, start, end))
    .flatMap((binding): Cell[] => {
      const init = initOf(binding, source);
      const isOpen = binding.kind === 'let' || binding.kind === 'var';
      if (init === undefined && !isOpen) return [];
      return [{ text: binding.name, init, canAssign: binding.kind !== 'const' }];
    });
  const members = place.hasThis
    ? frozen.map(({ name, init }) => ({ text: `this.${name}`, init, canAssign: true }))
    : [];
  return [...variables.slice(0, MOST_FROZEN), ...members.slice(0, MOST_FROZEN)];
}

/** The initial value of a variable, or the default of a parameter. */
function initOf({ kind, name, init, start, end }: Binding, source: SourceView): Node | undefined {
  if (kind !== 'param') return init === undefined ? undefined : bare(init);
  const pattern = source.sites.find(
    ({ node }) =>
      node.type === 'AssignmentPattern' &&
      node.left.type === 'Identifier' &&
      node.left.name === name &&
      start <= startOf(node) &&
      startOf(node) < end,
  )?.node;
  return pattern?.type === 'AssignmentPattern' ? bare(pattern.right) : undefined;
}

function* updatesOf(
  cell: string,
  init: Node | undefined,
  values: readonly Value[],
): Generator<readonly [text: string, factor: number]> {
  switch (init?.type) {
    case 'BooleanLiteral':
      yield [`${cell} = ${!init.value};`, 1];
      return;
    case 'NumericLiteral':
      yield [`${cell}++;`, 1];
      yield [`${cell}--;`, 0.6];
      for (const { text, factor } of values) yield [`${cell} += ${text};`, 0.5 * factor];
      for (const { text, factor } of values) yield [`${cell} = ${text};`, 0.5 * factor];
      return;
    case 'ArrayExpression':
      for (const { text, factor } of values) yield [`${cell}.push(${text});`, factor];
      for (const [key, value, factor] of pairsOf(values)) yield [`${cell}[${key}] = ${value};`, 0.6 * factor];
      return;
    case 'ObjectExpression':
      for (const [key, value, factor] of pairsOf(values)) yield [`${cell}[${key}] = ${value};`, factor];
      for (const { text, factor } of values)
        if (/^[\w$]+$/.test(text)) yield [`${cell}.${text} = ${text};`, 0.6 * factor];
      return;
    case 'NewExpression':
      yield* fillings(cell, init, values);
      return;
    case 'StringLiteral':
    case 'TemplateLiteral':
      for (const { text, factor } of values) yield [`${cell} += ${text};`, factor];
      for (const { text, factor } of values) yield [`${cell} = ${text};`, factor];
      return;
    case undefined:
      for (const { text, factor } of values)
        yield [`${cell} = ${text};`, cell.endsWith(`.${text}`) ? 1 : 0.6 * factor];
      for (const value of ['true', 'false', '0', 'null', '[]', '{}', 'new Map()', 'new Set()'])
        yield [`${cell} = ${value};`, 0.35];
      return;
    case 'NullLiteral':
    case 'Identifier':
      for (const { text, factor } of values) yield [`${cell} = ${text};`, 0.7 * factor];
      return;
    default:
      return;
  }
}

function* fillings(cell: string, init: Node, values: readonly Value[]): Generator<readonly [string, number]> {
  const { callee } = init as { callee?: Node };
  const made = callee?.type === 'Identifier' ? callee.name : '';
  if (/^(Weak)?Set$/.test(made))
    for (const { text, factor } of values) yield [`${cell}.add(${text});`, factor];
  if (/^(Weak)?Map$/.test(made))
    for (const [key, value, factor] of pairsOf(values)) yield [`${cell}.set(${key}, ${value});`, factor];
}

function* pairsOf(
  values: readonly Value[],
): Generator<readonly [key: string, value: string, factor: number]> {
  for (const key of values.filter(({ isKey }) => isKey)) {
    for (const value of values) if (value !== key) yield [key.text, value.text, 0.8 * value.factor];
  }
}
