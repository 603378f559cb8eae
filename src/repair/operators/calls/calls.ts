import type { Node } from '@babel/types';
import type { Site } from '../../syntax/walk.ts';
import type { Operator } from '../operator.ts';
import { insertAt, replaceNode, replaceRange, swap } from '../proposals.ts';

/** `f(a, b)` → `f(b, a)`. */
export const swapArguments: Operator = {
  name: 'swap-arguments',
  prior: 0.65,
  *propose({ node }, { textOf }) {
    if (!isCall(node)) return;
    const { arguments: args } = node;
    for (let first = 0; first < args.length && first < 5; first++) {
      for (let second = first + 1; second < args.length && second < 5; second++) {
        yield swap(args[first]!, args[second]!, textOf, second === first + 1 ? 1 : 0.6);
      }
    }
  },
};

/** `f(a, b)` → `f(a)`. */
export const dropArgument: Operator = {
  name: 'drop-argument',
  prior: 0.4,
  *propose({ node }) {
    if (!isCall(node)) return;
    const { arguments: args } = node;
    for (const [index, argument] of args.entries()) {
      const start = index === 0 ? argument.start! : args[index - 1]!.end!;
      const end = index === 0 && args.length > 1 ? args[1]!.start! : argument.end!;
      yield replaceRange(start, end, '', args.length === 1 ? 0.5 : index === args.length - 1 ? 1 : 0.6);
    }
  },
};

/** `sort()` → `sort((a, b) => a - b)`, `parseInt(x)` → `parseInt(x, 10)`, `f(a)` → `f(a, b)` with names in scope. */
export const extraArgument: Operator = {
  name: 'extra-argument',
  prior: 0.4,
  *propose(site, source) {
    const { node } = site;
    if (!isCall(node)) return;
    const close = source.text.lastIndexOf(')', node.end!);
    const comma = node.arguments.length > 0 ? ', ' : '';
    for (const text of usualArguments(node)) yield insertAt(close, comma + text, 1);
    const own = new Set(node.arguments.map(source.textOf));
    const names = source.visibleAt(site).filter(({ owner, name }) => owner >= 0 && !own.has(name));
    for (const { name } of names.slice(0, 6)) {
      yield insertAt(close, comma + name, 0.5);
      if (node.arguments.length > 0) yield insertAt(node.arguments[0]!.start!, `${name}, `, 0.35);
    }
  },
};

/** `Math.max(list)` ↔ `Math.max(...list)`. */
export const spreadArgument: Operator = {
  name: 'spread-argument',
  prior: 0.5,
  *propose({ node, key, parent }, { textOf, kindOf }) {
    if (key !== 'arguments' && key !== 'elements') return;
    if (parent?.node.type === 'ArrayPattern') return;
    if (node.type === 'SpreadElement') yield replaceNode(node, textOf(node.argument));
    const spreadable = /^(Identifier|MemberExpression|CallExpression|ArrayExpression)$/.test(node.type);
    const factor =
      kindOf(node) === 'array' || isVariadic(parent?.node) ? 1 : kindOf(node) === 'unknown' ? 0.6 : 0;
    if (spreadable && factor > 0) yield replaceNode(node, `...${textOf(node)}`, factor);
  },
};

/** `sort((a, b) => a - b)` → `sort((b, a) => a - b)`: swaps the first two parameters of a callback. */
export const swapParameters: Operator = {
  name: 'swap-parameters',
  prior: 0.35,
  *propose({ node, key }, { textOf }) {
    if (key !== 'arguments' || !/^(ArrowFunction|Function)Expression$/.test(node.type)) return;
    const { params } = node as { params: Node[] };
    if (params.length >= 2) yield swap(params[0]!, params[1]!, textOf, 1);
  },
};

/** `x.length()` → `x.length`, `x.trim` → `x.trim()`. */
export const callOrValue: Operator = {
  name: 'call-or-value',
  prior: 0.3,
  *propose({ node, key, parent }, { textOf }) {
    if (
      node.type === 'CallExpression' &&
      node.arguments.length === 0 &&
      parent?.node.type !== 'ExpressionStatement'
    ) {
      yield replaceNode(node, textOf(node.callee));
    }
    const isMethod = node.type === 'MemberExpression' && !node.computed && key !== 'callee' && key !== 'left';
    if (isMethod && CALLED.has(textOf(node.property))) yield replaceNode(node, `${textOf(node)}()`);
  },
};

/** Whether a call is one of a variadic built-in, to which lists are often passed unspread. */
function isVariadic(call: Node | undefined): boolean {
  return (
    call?.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    VARIADIC.has(memberName(call.callee))
  );
}

function memberName({ property }: Extract<Node, { type: 'MemberExpression' }>): string {
  return property.type === 'Identifier' ? property.name : '';
}

const VARIADIC = new Set(['min', 'max', 'push', 'unshift', 'fromCharCode', 'assign', 'hypot']);

type Call = Extract<Node, { type: 'CallExpression' | 'NewExpression' | 'OptionalCallExpression' }>;

function isCall(node: Site['node']): node is Call {
  return /^(Call|New|OptionalCall)Expression$/.test(node.type) && node.end !== (node as Call).callee.end;
}

function usualArguments(node: Call): readonly string[] {
  const { callee } = node;
  const name =
    callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? memberName(callee) : '';
  return USUAL[name]?.[node.arguments.length] ?? [];
}

/** Usual arguments by function name and number of existing arguments. */
const USUAL: Readonly<Record<string, readonly (readonly string[])[]>> = {
  sort: [['(a, b) => a - b', '(a, b) => b - a', '(a, b) => a.localeCompare(b)']],
  toSorted: [['(a, b) => a - b', '(a, b) => b - a']],
  parseInt: [[], ['10', '2', '16']],
  toString: [['2', '16', '10']],
  slice: [
    ['1', '0, -1'],
    ['-1', '1'],
  ],
  reduce: [[], ['0', '1', "''", '[]', '{}']],
  join: [["''", "' '", "', '"]],
  split: [["''", "' '", "','"]],
  padStart: [[], ["'0'", "' '"]],
  padEnd: [[], ["'0'", "' '"]],
  indexOf: [[], ['1']],
  flat: [['Infinity', '2']],
  fill: [['0', 'null', 'false', "''"]],
  toFixed: [['2', '1']],
  stringify: [[], ['null, 2']],
  splice: [[], ['1', '0']],
  at: [['-1', '0']],
};

/** Members that are usually called without arguments. */
const CALLED = new Set(
  'trim toLowerCase toUpperCase toString reverse sort pop shift keys values entries getTime size'.split(' '),
);
