import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import { bare, type Site } from '../../repair/syntax/walk.ts';
import { withoutAliases } from './aliases.ts';
import { constantOf, withConstants } from './constants.ts';
import { atEachSite, shown, type Edit, type PlainSource, type Rewriting } from './edit.ts';
import {
  withCallbacksInPlace,
  withExactNumbers,
  withoutTautologies,
  withoutVoidResults,
  withSearchedItems,
  withTurnedComparisons,
} from './same-meaning.ts';
import { withEval, withImports } from './other-loaders.ts';
import { withoutUnreadLists, withoutUnusedValues, withoutVoid } from './unused-values.ts';

const GLOBAL_OBJECTS = new Set(['globalThis', 'global', 'window', 'self']);

/** `globalThis.console` and `Reflect.get(globalThis, 'console')` become `console`. */
const withGlobals = atEachSite(({ node }, { declared }) => {
  const found = memberOf(node) ?? reflected(node);
  if (found === undefined || found.object.type !== 'Identifier') return undefined;
  const { name } = found;
  const isGlobal = GLOBAL_OBJECTS.has(found.object.name) && !declared.has(found.object.name);
  return isGlobal && !declared.has(name) ? name : undefined;
});

function reflected(node: Node): { readonly object: Node; readonly name: string } | undefined {
  if (node.type !== 'CallExpression' || memberOf(node.callee)?.name !== 'get') return undefined;
  const [object, name] = node.arguments;
  return object !== undefined && name?.type === 'StringLiteral' ? { object, name: name.value } : undefined;
}

/** `a['b']` becomes `a.b`. */
const withMembers = atEachSite(({ node }, source) => {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return undefined;
  const member = node.computed ? memberOf(node) : undefined;
  if (member === undefined || !/^[A-Za-z_$][\w$]*$/.test(member.name)) return undefined;
  return `${shown(source, member.object)}${node.optional === true ? '?.' : '.'}${member.name}`;
});

const INVERSE: Readonly<Record<string, string>> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '!=': '==',
  '==': '!=',
};

/** `a <= b && a >= b` becomes `a == b`: the comparison that treats 1 and '1' as the same. */
const withLooseComparisons = atEachSite((site, source) => {
  const node = bare(site.node);
  if (node.type === 'UnaryExpression' && node.operator === '!') return inverted(node.argument, source);
  if (node.type === 'BinaryExpression') return ofDifference(node, source);
  if (node.type !== 'LogicalExpression') return undefined;
  const [left, right] = [orderOf(node.left, source), orderOf(node.right, source)];
  if (left === undefined || right === undefined || left.a !== right.a || left.b !== right.b) return undefined;
  const operators = [left.operator, right.operator].sort().join(' ');
  if (node.operator === '&&' && operators === '<= >=') return `${left.a} == ${left.b}`;
  return node.operator === '||' && operators === '< >' ? `${left.a} != ${left.b}` : undefined;
});

function inverted(argument: Node, source: PlainSource): string | undefined {
  const node = bare(argument);
  if (node.type === 'BinaryExpression' && (node.operator === '-' || node.operator === '^'))
    return `${shown(source, node.left)} == ${shown(source, node.right)}`;
  if (node.type === 'LogicalExpression' && node.operator !== '??') {
    const [left, right] = [node.left, node.right].map((it) =>
      orderOf(it, source) ? inverted(it, source) : undefined,
    );
    if (left === undefined || right === undefined) return undefined;
    return `(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`;
  }
  if (node.type !== 'BinaryExpression' || INVERSE[node.operator] === undefined) return undefined;
  return `(${shown(source, node.left)} ${INVERSE[node.operator]} ${shown(source, node.right)})`;
}

function ofDifference(
  node: Extract<Node, { type: 'BinaryExpression' }>,
  source: PlainSource,
): string | undefined {
  const difference = bare(node.left);
  if (difference.type !== 'BinaryExpression' || !/^[-^]$/.test(difference.operator)) return undefined;
  if (!/^[!=]==?$/.test(node.operator) || constantOf(node.right) !== 0) return undefined;
  return `${shown(source, difference.left)} ${node.operator.slice(0, 2)} ${shown(source, difference.right)}`;
}

interface Order {
  readonly a: string;
  readonly b: string;
  readonly operator: string;
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

function orderOf(expression: Node, source: PlainSource): Order | undefined {
  const node = bare(expression);
  if (node.type !== 'BinaryExpression' || TURNED[node.operator] === undefined) return undefined;
  const [left, right] = [shown(source, node.left), shown(source, node.right)];
  return left <= right
    ? { a: left, b: right, operator: node.operator }
    : { a: right, b: left, operator: TURNED[node.operator]! };
}

/** `{ ...{ a: 1 } }` and `Object.assign({ b: 2 }, { a: 1 })` become one object. */
const withoutSpreads = atEachSite(({ node }, source) => {
  const inside = (object: Node): string =>
    shown(source, object)
      .slice(1, -1)
      .replace(/,?\s*$/, '');
  if (node.type === 'SpreadElement') {
    const object = bare(node.argument);
    return object.type === 'ObjectExpression' ? inside(object) : undefined;
  }
  if (node.type !== 'CallExpression' || memberOf(node.callee)?.name !== 'assign') return undefined;
  const objects = node.arguments.map(bare);
  const isWhole = objects.length > 1 && objects.every(({ type }) => type === 'ObjectExpression');
  return isWhole
    ? `{ ${objects
        .map(inside)
        .filter((it) => it.trim() !== '')
        .join(', ')} }`
    : undefined;
});

/** `[x][0]`, `(() => x)()`, `(x)` and `x ?? undefined` become `x`. */
const withoutDetours = atEachSite(({ node, key, parent }, source) => {
  const inner = behind(node);
  if (inner !== undefined) return shown(source, inner);
  if (node.type !== 'ParenthesizedExpression') return undefined;
  const isSimple = /^(Identifier|ThisExpression|MemberExpression|\w+Literal)$/.test(node.expression.type);
  const isOwn =
    key === 'right' || key === 'left' || key === 'argument' || parent?.node.type === 'VariableDeclarator';
  return isSimple && isOwn ? shown(source, node.expression) : undefined;
});

function behind(node: Node): Node | undefined {
  if (node.type === 'LogicalExpression' && node.operator === '??')
    return node.right.type === 'Identifier' && node.right.name === 'undefined' ? node.left : undefined;
  if (node.type === 'MemberExpression' && node.computed && node.object.type === 'ArrayExpression') {
    const [only, ...others] = node.object.elements;
    return others.length === 0 && constantOf(node.property) === 0 ? (only ?? undefined) : undefined;
  }
  if (node.type !== 'CallExpression' || node.arguments.length > 0) return undefined;
  const callee = bare(node.callee);
  return callee.type === 'ArrowFunctionExpression' && callee.body.type !== 'BlockStatement'
    ? callee.body
    : undefined;
}

/** `if (true) { return; }` becomes `{ return; }`. */
const withoutConstantTests = atEachSite(({ node }, source) => {
  if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return undefined;
  const value = constantOf(node.test);
  if (value === undefined) return undefined;
  const taken = value ? node.consequent : node.alternate;
  return taken ? shown(source, taken) : '';
});

/** `if ((a = 5))` becomes `if (a = 5)`: nothing is searched or read there that a loop or a condition could need. */
const withoutDoubledParentheses = atEachSite(({ node, key, parent }, source) => {
  if (node.type !== 'ParenthesizedExpression' || key !== 'test' || parent?.node.type !== 'IfStatement')
    return undefined;
  const inner = bare(node);
  const isPlain = inner.type === 'AssignmentExpression' && /Literal$|^Identifier$/.test(inner.right.type);
  return isPlain ? shown(source, inner) : undefined;
});

/** Comments that a rule takes for an answer: those in an empty block, and `falls through` and `no default`. */
const withoutAnswers: Rewriting = ({ sites }) => [
  ...sites.flatMap(({ node }: Site): Edit[] => {
    const isEmpty = (node.type === 'BlockStatement' || node.type === 'StaticBlock') && node.body.length === 0;
    const [first, last] = [node.innerComments?.[0], node.innerComments?.at(-1)];
    if (!isEmpty || !first || !last) return [];
    return [{ from: first.start!, to: last.end!, text: '' }];
  }),
  ...commentsIn(sites).flatMap(({ start, end, value }): Edit[] =>
    /falls?[\s-]?through|no default/i.test(value) ? [{ from: start!, to: end!, text: '' }] : [],
  ),
];

function commentsIn([file]: readonly Site[]) {
  return file?.node.type === 'File' ? (file.node.comments ?? []) : [];
}

const NAMES = [withConstants, withMembers, withGlobals, withoutAliases];
const VALUES = [withConstants, withoutAliases];
const SAME = [...NAMES, withoutUnusedValues, withoutDetours];

/**
 * For each rule of ESLint that names a fault, the other spellings under which the fault stays and the rule says nothing. Rules
 * whose own documentation recommends such a spelling, such as `no-restricted-globals`, are not here.
 */
const BY_RULE: Readonly<Record<string, readonly Rewriting[]>> = {
  'no-console': NAMES,
  'no-alert': NAMES,
  'no-eval': [...NAMES, withEval],
  'no-new-func': NAMES,
  'no-implied-eval': NAMES,
  'no-restricted-imports': [withConstants, withImports],
  'no-prototype-builtins': [withConstants, withMembers],
  eqeqeq: [withLooseComparisons],
  'use-isnan': [...VALUES, withSearchedItems],
  'valid-typeof': VALUES,
  'no-compare-neg-zero': VALUES,
  'no-duplicate-case': VALUES,
  'no-dupe-class-members': VALUES,
  'no-loss-of-precision': [withExactNumbers, ...VALUES],
  'no-self-assign': SAME,
  'no-self-compare': SAME,
  'no-dupe-keys': [withConstants, withMembers, withoutAliases, withoutSpreads],
  'no-dupe-else-if': [...SAME, withTurnedComparisons],
  'no-unused-vars': [withoutUnusedValues],
  'require-await': [withoutUnusedValues],
  'no-unused-expressions': [withoutVoid],
  'no-empty': [withoutUnusedValues, withoutAnswers],
  'no-empty-function': [withoutUnusedValues, withoutAnswers],
  'no-empty-static-block': [withoutUnusedValues, withoutAnswers],
  'no-fallthrough': [withoutAnswers],
  'default-case': [withoutAnswers],
  'no-unreachable': [withConstants, withoutAliases, withoutConstantTests],
  'no-unreachable-loop': [withConstants, withoutAliases, withoutTautologies, withoutConstantTests],
  'getter-return': [withoutVoidResults],
  'array-callback-return': [withCallbacksInPlace, withoutVoidResults],
  'no-cond-assign': [withoutDoubledParentheses],
  'no-floating-promises': [withoutUnreadLists],
};

/** The rewritings for a rule, under its name with or without that of a plugin; none for a rule of style. */
export function rewritingsFor(rule: string): readonly Rewriting[] {
  return BY_RULE[rule.replace(/^.*\//, '')] ?? [];
}
