import type { Node } from '@babel/types';
import type { Operator } from '../operator.ts';
import { replaceNode } from '../proposals.ts';
import { isNearby } from './nearby.ts';

/** `x.push` → `x.unshift`, `Math.min` → `Math.max`: related built-ins. */
export const builtIn: Operator = {
  name: 'built-in',
  prior: 0.85,
  *propose({ node, parent }) {
    if (!isMember(node) || node.property.type !== 'Identifier') return;
    const isUnused = parent?.parent?.node.type === 'ExpressionStatement';
    for (const [rank, other] of relativesOf(node.property.name).entries()) {
      const penalty = isUnused && PURE_METHODS.has(other) ? 0.1 : 1;
      yield replaceNode(node.property, other, 0.93 ** rank * penalty);
    }
  },
};

/** `a.first` → `a.last`: other properties that the file uses, likely misspellings first. */
export const property: Operator = {
  name: 'property',
  prior: 0.6,
  *propose({ node, key }, { siblingsOf }) {
    if (!isMember(node) || node.property.type !== 'Identifier') return;
    const own = node.property.name;
    for (const other of siblingsOf(own)) {
      const called = key === 'callee' ? 0.5 : 1;
      yield replaceNode(node.property, other, (isNearby(own, other) ? 1 : 0.7) * called);
    }
  },
};

/** `x.a` → `x`, `x.a.b` → `x.a`. */
export const dropProperty: Operator = {
  name: 'drop-property',
  prior: 0.3,
  *propose({ node, key, parent }, { textOf }) {
    if (!isMember(node) || key === 'left' || key === 'callee' || parent?.node.type === 'UpdateExpression')
      return;
    yield replaceNode(node, textOf(node.object));
  },
};

type Member = Extract<Node, { type: 'MemberExpression' | 'OptionalMemberExpression' }>;

function isMember(node: Node): node is Member {
  return (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') && !node.computed;
}

function relativesOf(name: string): string[] {
  const groups = GROUPS.filter((group) => group.includes(name));
  return [...new Set(groups.flat())].filter((other) => other !== name);
}

/** Groups of built-ins that are often confused. */
const GROUPS = [
  'push unshift',
  'pop shift at',
  'slice splice substring substr',
  'toUpperCase toLowerCase',
  'startsWith endsWith includes',
  'indexOf lastIndexOf findIndex search',
  'min max',
  'floor ceil round trunc abs',
  'sin cos tan',
  'log log2 log10',
  'sqrt cbrt abs',
  'map filter flatMap forEach',
  'some every',
  'find findLast filter findIndex',
  'reduce reduceRight',
  'trim trimStart trimEnd',
  'padStart padEnd',
  'keys values entries',
  'replace replaceAll',
  'charAt charCodeAt codePointAt at',
  'has get delete',
  'add delete has',
  'size length',
  'sort toSorted reverse toReversed',
  'match matchAll test exec',
  'concat push join',
  'all allSettled race any',
  'then catch finally',
  'resolve reject',
  'parse stringify',
  'isInteger isFinite isNaN isSafeInteger',
  'parseInt parseFloat',
  'getDate getDay getUTCDate',
  'getMonth getDate getFullYear getUTCMonth',
  'getFullYear getUTCFullYear getYear',
  'getHours getMinutes getSeconds getUTCHours',
  'setDate setUTCDate setMonth setFullYear',
  'setHours setMinutes setSeconds',
  'call apply bind',
  'on once off',
  'toString toFixed valueOf toPrecision',
  'assign freeze create',
  'fromEntries entries',
  'appendChild prepend append',
  'error warn info log',
].map((group) => group.split(' '));

/** Methods without side effects: calling one and ignoring its result is a mistake. */
export const PURE_METHODS: ReadonlySet<string> = new Set(
  (
    'filter map slice concat trim trimStart trimEnd replace replaceAll toUpperCase toLowerCase flat flatMap join at ' +
    'toSorted toReversed padStart padEnd substring has includes indexOf'
  ).split(' '),
);
