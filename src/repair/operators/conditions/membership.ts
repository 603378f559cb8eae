import type { Node } from '@babel/types';
import { atLeast, Precedence, precedenceOf } from '../../syntax/precedence.ts';
import type { Operator } from '../operator.ts';
import { insertAt, replaceNode, replaceRange, replaceSite, together } from '../proposals.ts';

/** `x === '**'` ↔ `x.startsWith('**')`, `.endsWith`, `.includes`: compares the whole text or a part of it. */
export const wholeOrPart: Operator = {
  name: 'whole-or-part',
  prior: 0.4,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)) {
      if (node.right.type !== 'StringLiteral' || node.right.value === '' || !isPlain(node.left)) return;
      const [text, part] = [textOf(node.left), textOf(node.right)];
      const not = node.operator.startsWith('!') ? '!' : '';
      for (const [method, factor] of PARTS) {
        yield replaceSite(site, `${not}${text}.${method}(${part})`, Precedence.unary, factor);
      }
    }
    if (
      node.type !== 'CallExpression' ||
      node.callee.type !== 'MemberExpression' ||
      node.arguments.length !== 1
    )
      return;
    const { object, property } = node.callee;
    const [argument] = node.arguments;
    if (
      property.type !== 'Identifier' ||
      argument === undefined ||
      !PARTS.some(([name]) => name === property.name)
    )
      return;
    const whole = atLeast(textOf(argument), precedenceOf(argument), Precedence.relational);
    yield replaceSite(site, `${textOf(object)} === ${whole}`, Precedence.equality, 0.6);
  },
};

/** `key in o` → own properties only, `o[key]` → `key in o`, `o.hasOwnProperty(k)` → safe for objects without it. */
export const ownProperty: Operator = {
  name: 'own-property',
  prior: 0.4,
  *propose(site, { textOf }) {
    const { node, key, parent } = site;
    if (node.type === 'BinaryExpression' && node.operator === 'in') {
      const [name, object] = [textOf(node.left), textOf(node.right)];
      yield replaceSite(site, `${HAS_OWN}.call(${object}, ${name})`, Precedence.call, 0.9);
      yield replaceSite(site, `${object}[${name}] !== undefined`, Precedence.equality, 0.6);
    }
    const isTest =
      key === 'test' ||
      (key === 'argument' && parent?.node.type === 'UnaryExpression') ||
      parent?.node.type === 'LogicalExpression';
    if (node.type === 'MemberExpression' && isTest) {
      const [object, name] = [
        textOf(node.object),
        node.computed ? textOf(node.property) : `'${textOf(node.property)}'`,
      ];
      if (name.startsWith("'#")) return;
      yield replaceSite(site, `${name} in ${object}`, Precedence.relational, node.computed ? 0.8 : 0.5);
      yield replaceSite(
        site,
        `${HAS_OWN}.call(${object}, ${name})`,
        Precedence.call,
        node.computed ? 0.8 : 0.3,
      );
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return;
    const { object, property } = node.callee;
    if (property.type !== 'Identifier' || property.name !== 'hasOwnProperty' || node.arguments.length !== 1)
      return;
    yield replaceNode(node, `${HAS_OWN}.call(${textOf(object)}, ${textOf(node.arguments[0]!)})`);
  },
};

/** `for (const key in o)` → `for (const key of Object.keys(o))`, or skips inherited keys in the loop. */
export const ownKeys: Operator = {
  name: 'own-keys',
  prior: 0.9,
  *propose({ node }, { text, textOf }) {
    if (node.type !== 'ForInStatement') return;
    const start = text.lastIndexOf('in', node.right.start!);
    const object = textOf(node.right);
    yield replaceRange(start, node.right.end!, `of Object.keys(${object})`);
    const name =
      node.left.type === 'VariableDeclaration' ? textOf(node.left.declarations[0]!.id) : textOf(node.left);
    if (node.body.type !== 'BlockStatement') return;
    yield insertAt(node.body.start! + 1, `\nif (!${HAS_OWN}.call(${object}, ${name})) continue;`, 0.8);
  },
};

/** `{ ...a, ...b }` ↔ `Object.assign({}, a, b)`, `{}` → `Object.create(null)`: other ways to create an object. */
export const objectMaking: Operator = {
  name: 'object-making',
  prior: 0.6,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type === 'ObjectExpression' && node.properties.length === 0 && site.key === 'init') {
      yield replaceNode(node, 'Object.create(null)', 0.8);
    }
    if (node.type === 'ObjectExpression' && node.properties.length > 0) {
      const spread = node.properties.every(({ type }) => type === 'SpreadElement');
      const parts = node.properties.map((property) =>
        textOf((property as { argument: Node }).argument ?? property),
      );
      if (spread) yield replaceNode(node, `Object.assign({}, ${parts.join(', ')})`, 0.8);
    }
    if (node.type !== 'CallExpression' || textOf(node.callee) !== 'Object.assign') return;
    const [target, ...rest] = node.arguments;
    if (target?.type !== 'ObjectExpression' && target?.type !== 'Identifier') return;
    if (rest.length === 0 || rest.some(({ type }) => type === 'SpreadElement')) return;
    const parts = [target, ...rest]
      .filter((part) => !/^\{\s*\}$/.test(textOf(part)))
      .map((part) => `...${textOf(part)}`);
    yield replaceNode(node, site.key === 'body' ? `({ ${parts.join(', ')} })` : `{ ${parts.join(', ')} }`);
  },
};

/** `x instanceof Promise` → `typeof x?.then === 'function'`: accepts values of other realms and similar classes. */
export const lookAlike: Operator = {
  name: 'look-alike',
  prior: 0.5,
  *propose(site, { textOf }) {
    const { node } = site;
    if (node.type !== 'BinaryExpression' || node.operator !== 'instanceof') return;
    const [value, type] = [textOf(node.left), textOf(node.right)];
    if (!isPlain(node.left)) return;
    if (type === 'Promise')
      yield replaceSite(site, `typeof ${value}?.then === 'function'`, Precedence.equality);
    if (type === 'Array') yield replaceSite(site, `Array.isArray(${value})`, Precedence.call);
    if (type === 'Function') yield replaceSite(site, `typeof ${value} === 'function'`, Precedence.equality);
    if (type === 'Object') yield replaceSite(site, `typeof ${value} === 'object'`, Precedence.equality);
    if (!/^[A-Z]\w*$/.test(type)) return;
    const tag = `Object.prototype.toString.call(${value}) === '[object ${type}]'`;
    yield replaceSite(site, tag, Precedence.equality, 0.8);
    yield replaceSite(site, `${value}?.constructor?.name === '${type}'`, Precedence.equality, 0.6);
    if (site.parent?.node.type !== 'UnaryExpression')
      yield together([insertAt(node.end!, ` || ${value}?.constructor?.name === '${type}'`)], 0.4);
  },
};

const PARTS = [
  ['startsWith', 1],
  ['endsWith', 0.8],
  ['includes', 0.9],
] as const;

const HAS_OWN = 'Object.prototype.hasOwnProperty';

function isPlain({ type }: Node): boolean {
  return /^(Identifier|(Optional)?(Member|Call)Expression|ThisExpression)$/.test(type);
}
