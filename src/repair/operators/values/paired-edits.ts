import type { Node } from '@babel/types';
import { bare, functionOf, isFunction } from '../../syntax/walk.ts';
import type { Operator, Proposal } from '../operator.ts';
import { replaceNode, together } from '../proposals.ts';

/** `f(a) === f(b)` → `f(a.trim()) === f(b.trim())`: the same method call on both sides of a comparison. */
export const bothSides: Operator = {
  name: 'both-sides',
  prior: 0.4,
  *propose({ node }, source) {
    if (node.type !== 'BinaryExpression' || !/^([=!]==?|[<>]=?)$/.test(node.operator)) return;
    const steps = /^[<>]/.test(node.operator) ? ORDER_STEPS : EQUAL_STEPS;
    for (const [left, right] of pairs(node.left, node.right)) {
      for (const [step, factor] of steps) {
        const both = [left, right].map((side) => replaceNode(side, source.textOf(side) + step));
        yield together(both, factor);
      }
    }
  },
};

type Step = readonly [step: string, factor: number];

/** Exchanges `t[0]` and `t[1]` everywhere in a function. */
export const swapIndices: Operator = {
  name: 'swap-indices',
  prior: 0.3,
  *propose(site, source) {
    if (!isFunction(site.node)) return;
    const byObject = new Map<string, Map<string, Node[]>>();
    for (const { node } of source.withinFunction(site)) {
      if (node.type !== 'MemberExpression' || !node.computed || node.property.type !== 'NumericLiteral')
        continue;
      const indices = emplace(byObject, source.textOf(node.object), () => new Map<string, Node[]>());
      emplace(indices, source.textOf(node.property), () => []).push(node.property);
    }
    for (const indices of byObject.values()) yield* swaps([...indices]);
  },
};

/** Exchanges the `true` and `false` that are assigned to a variable, everywhere in its function. */
export const flipFlag: Operator = {
  name: 'flip-flag',
  prior: 0.35,
  *propose({ node, parent }, source) {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || parent === undefined) return;
    if (node.init?.type !== 'BooleanLiteral') return;
    const { name } = node.id;
    const places = source.withinFunction(parent).flatMap(({ node: other }) => {
      const isSet =
        other.type === 'AssignmentExpression' && other.left.type === 'Identifier' && other.left.name === name;
      return isSet && other.right.type === 'BooleanLiteral' ? [other.right] : [];
    });
    if (places.length === 0) return;
    yield together([node.init, ...places].map((literal) => replaceNode(literal, String(!literal.value))));
  },
};

/** Exchanges the two parameters of a function everywhere in its body. */
export const renameAll: Operator = {
  name: 'rename-all',
  prior: 0.15,
  *propose(site, source) {
    const { node } = site;
    if (!isFunction(node)) return;
    const params = (node as { params: Node[] }).params.filter((param) => param.type === 'Identifier');
    const names = params.map((param) => source.textOf(param));
    if (names.length !== 2) return;
    const inner = source
      .withinFunction(site)
      .filter((other) => functionOf(other)?.node === node && other.key !== 'params');
    const spots = inner.filter(
      ({ node: other, key, parent }) =>
        other.type === 'Identifier' &&
        names.includes(other.name) &&
        !(key === 'property' && !(parent!.node as { computed?: boolean }).computed) &&
        key !== 'key' &&
        parent?.node.type !== 'ObjectProperty',
    );
    if (spots.length < 2) return;
    yield together(
      spots.map(({ node: spot }) => replaceNode(spot, names[1 - names.indexOf(source.textOf(spot))]!)),
    );
  },
};

/** Normalisations of two values; those that discard most of a value or nothing are least likely. */
const EQUAL_STEPS: readonly Step[] = [
  ['.toLowerCase()', 1],
  ['.trim()', 1],
  ['.sort()', 1],
  ['.toString()', 0.8],
  ['.length', 0.5],
  ['.slice()', 0.3],
  ['.reverse()', 0.3],
];

const ORDER_STEPS: readonly Step[] = [
  ['.length', 1],
  ['.getTime()', 0.6],
  ['.toLowerCase()', 0.5],
];

/** Nodes at corresponding places of two expressions with the same shape. */
function* pairs(left: Node, right: Node): Generator<[Node, Node]> {
  const [a, b] = [bare(left), bare(right)];
  if (a.type !== b.type) return;
  if (/^(Identifier|MemberExpression|CallExpression|ArrayExpression)$/.test(a.type)) yield [a, b];
  if (a.type === 'CallExpression' && b.type === 'CallExpression') {
    for (const [index, argument] of a.arguments.entries()) {
      const other = b.arguments[index];
      if (other !== undefined) yield* pairs(argument, other);
    }
    if (a.callee.type === 'MemberExpression' && b.callee.type === 'MemberExpression') {
      yield* pairs(a.callee.object, b.callee.object);
    }
  }
}

function* swaps(indices: readonly [string, Node[]][]): Generator<Proposal> {
  for (const [at, [text, nodes]] of indices.entries()) {
    for (const [otherText, others] of indices.slice(at + 1)) {
      if (nodes.length + others.length < 3) continue;
      yield together([
        ...nodes.map((node) => replaceNode(node, otherText)),
        ...others.map((node) => replaceNode(node, text)),
      ]);
    }
  }
}

/** The map's value for the key, created if it is absent. */
function emplace<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
