import type { Binding } from '../../syntax/bindings.ts';
import { isCompatible, type Kind } from '../../syntax/kinds.ts';
import { Precedence } from '../../syntax/precedence.ts';
import { isRead } from '../../syntax/reads.ts';
import { nearest, type Site } from '../../syntax/walk.ts';
import { isCallable, isUnused, kindOfBinding } from '../binding-kinds.ts';
import type { Operator, SourceView } from '../operator.ts';
import { replaceNode, replaceRange, replaceSite } from '../proposals.ts';
import { isNearby } from './nearby.ts';

/** Bindings that are never assigned to: overwriting a function would break all later tests of the process. */
const READ_ONLY = /^(const|function|class)$/;

/** `a` → `b`: other visible names of a plausible kind, unused ones first. */
export const variable: Operator = {
  name: 'variable',
  prior: 0.75,
  *propose(site, source) {
    const { node } = site;
    if (node.type !== 'Identifier' || !(isRead(site) || isTarget(site)) || GLOBALS.has(node.name)) return;
    const called = site.key === 'callee';
    for (const binding of source.visibleAt(site)) {
      if (binding.name === node.name || (isTarget(site) && READ_ONLY.test(binding.kind))) continue;
      const factor =
        plausibility(binding, site, source) * (called === isCallable(binding, source) ? 1 : 0.15);
      if (factor > 0) yield replaceSite(site, binding.name, Precedence.primary, factor);
    }
  },
};

/** `{ a }` → `{ a: b }`, with a visible name. */
export const shorthand: Operator = {
  name: 'shorthand',
  prior: 0.4,
  *propose(site, source) {
    const { node, parent } = site;
    if (node.type !== 'ObjectProperty' || !node.shorthand || parent?.node.type === 'ObjectPattern') return;
    if (node.key.type !== 'Identifier') return;
    for (const { name } of source.visibleAt(site).slice(0, 8)) {
      if (name !== node.key.name) yield replaceNode(node, `${node.key.name}: ${name}`);
    }
  },
};

/** `'text'` → `text`, `0` → `index`: replaces a literal by a visible name, one that it spells first. */
export const literalToVariable: Operator = {
  name: 'literal-to-variable',
  prior: 0.45,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || (node.type !== 'NumericLiteral' && node.type !== 'StringLiteral')) return;
    if (site.parent?.node.type === 'SwitchCase' || site.parent?.node.type === 'JSXAttribute') return;
    const kind = source.kindOf(node);
    for (const binding of source.visibleAt(site).slice(0, 10)) {
      if (isCallable(binding, source)) continue;
      const same = node.type === 'StringLiteral' && node.value === binding.name;
      if (!same && !isCompatible(kind, kindOfBinding(binding, source))) continue;
      yield replaceSite(site, binding.name, Precedence.primary, same ? 1 : isUnused(binding) ? 0.8 : 0.3);
      const indexable = kindOfBinding(binding, source);
      if (indexable === 'array' || source.isIndexed(binding.name))
        yield replaceSite(site, `${binding.name}[0]`, Precedence.call, 0.4);
      if (
        indexable === 'array' ||
        indexable === 'string' ||
        (indexable === 'unknown' && binding.kind === 'param')
      ) {
        if (kind === 'number') yield replaceSite(site, `${binding.name}.length`, Precedence.call, 0.4);
      }
    }
  },
};

/** `x.length` → `y`: replaces an expression by a visible name of a compatible kind. */
export const expressionToVariable: Operator = {
  name: 'expression-to-variable',
  prior: 0.4,
  *propose(site, source) {
    const { node } = site;
    if (!isRead(site) || site.key === 'callee') return;
    if (!/^(MemberExpression|CallExpression|BinaryExpression)$/.test(node.type)) return;
    const kind = source.kindOf(node);
    for (const binding of source.visibleAt(site).slice(0, 10)) {
      if (isCallable(binding, source) || !isCompatible(kind, kindOfBinding(binding, source))) continue;
      yield replaceSite(site, binding.name, Precedence.primary, isUnused(binding) ? 1 : 0.5);
    }
  },
};

/** `name` ↔ `this.name`. */
export const self: Operator = {
  name: 'this',
  prior: 0.4,
  *propose(site, { sites, textOf }) {
    const { node } = site;
    if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression' && !node.computed) {
      const name = textOf(node.property);
      if (!name.startsWith('#') && site.key !== 'callee') yield replaceNode(node, name);
    }
    if (node.type !== 'Identifier' || !isRead(site) || nearest(site, isClassMember) === undefined) return;
    const isMember = sites.some(
      ({ node: other }) =>
        other.type === 'MemberExpression' &&
        other.object.type === 'ThisExpression' &&
        textOf(other.property).replace('#', '') === node.name,
    );
    if (isMember) yield replaceSite(site, `this.${node.name}`, Precedence.call);
  },
};

/** Initial values of `let`: `0`, `1`, `''`, `[]`, `Infinity`, the first item of an array and so on. */
export const initialValue: Operator = {
  name: 'initial-value',
  prior: 0.45,
  *propose(site, source) {
    const { node, parent } = site;
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
    if (parent?.node.type !== 'VariableDeclaration' || parent.node.kind === 'const' || isForHead(parent))
      return;
    if (!node.init) {
      for (const [value] of VALUES) yield replaceRange(node.end!, node.end!, ` = ${value}`, 0.6);
      return;
    }
    if (!/Literal$|^UnaryExpression$|^ArrayExpression$|^Identifier$/.test(node.init.type)) return;
    const kind = source.kindOf(node.init);
    for (const [value, valueKind] of VALUES) {
      yield replaceNode(node.init, value, isCompatible(kind, valueKind) ? 1 : OTHER_KIND_FACTOR);
    }
    const arrays = source.visibleAt(site).filter(({ name }) => source.isIndexed(name));
    for (const { name } of arrays.slice(0, 3)) yield replaceNode(node.init, `${name}[0]`, 0.8);
  },
};

function plausibility(binding: Binding, site: Site, source: SourceView): number {
  const { node } = site;
  if (node.type !== 'Identifier') return 0;
  const kinds = isCompatible(source.kindOf(node), kindOfBinding(binding, source)) ? 1 : 0.25;
  const place = isUnused(binding) ? 1 : binding.kind === 'param' ? 0.9 : binding.owner < 0 ? 0.4 : 0.8;
  const similar = isNearby(node.name, binding.name) ? 1 : 0.9;
  return kinds * place * similar;
}

function isTarget({ key, parent }: Site): boolean {
  const holder = parent?.node.type;
  return (holder === 'AssignmentExpression' && key === 'left') || holder === 'UpdateExpression';
}

function isForHead(declaration: Site): boolean {
  return /^For(In|Of)Statement$/.test(declaration.parent?.node.type ?? '');
}

function isClassMember({ type }: Site['node']): boolean {
  return type === 'ClassMethod' || type === 'ClassPrivateMethod' || type === 'ClassProperty';
}

/** Penalty for an initial value of another kind. */
const OTHER_KIND_FACTOR = 0.4;

const VALUES: readonly (readonly [value: string, kind: Kind])[] = [
  ['0', 'number'],
  ['1', 'number'],
  ['-1', 'number'],
  ["''", 'string'],
  ['[]', 'array'],
  ['{}', 'object'],
  ['null', 'unknown'],
  ['Infinity', 'number'],
  ['-Infinity', 'number'],
  ['true', 'boolean'],
  ['false', 'boolean'],
];

const GLOBALS = new Set([
  'undefined',
  'Math',
  'Number',
  'Object',
  'JSON',
  'Array',
  'console',
  'Infinity',
  'NaN',
]);
