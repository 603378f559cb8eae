import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Node } from '@babel/types';
import { isLabel, memberOf, specifierOf, walk } from '../acceptance/syntax.ts';
import { programOf } from './expected-names.ts';

/** Files that judge the product in a tree. */
export interface Judges {
  readonly root: string;
  readonly isJudge: (path: string) => boolean;
}

/** Whether a source loads a file that judges, or can get at modules that its text does not name. */
export function reachesJudges(text: string, source: string, judges: Judges): boolean {
  if (reachesAnyModule(text, source)) return true;
  let isFound = false;
  for (const top of programOf(source, text))
    walk(top, (node) => {
      const path = plainText(node);
      const isNamed = path !== undefined && /^\.{1,2}\//.test(path);
      if (isNamed && judgeAt(posix.join(posix.dirname(source), path), judges) !== undefined) isFound = true;
    });
  return isFound;
}

/** Whether a text can get at modules that it does not name: the loaded ones, computed ones, and code in a text. */
export function reachesAnyModule(text: string, file: string): boolean {
  let isFound = false;
  for (const top of programOf(file, text))
    walk(top, (node, parents) => {
      if (reachesAny(node, parents.at(-1))) isFound = true;
    });
  return isFound;
}

const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.jsx', '.tsx', '/index.js', '/index.ts'];

/** The file that judges at a path, also at one without its ending. */
export function judgeAt(path: string, { root, isJudge }: Judges): string | undefined {
  const bare = path.replace(/\.([cm]?)js(x?)$/, '');
  return [path, bare]
    .flatMap((one) => ENDINGS.map((end) => one + end))
    .find((one) => isJudge(one) && existsSync(join(root, one)));
}

/** Members of `require` and `module` that honest code uses, and that give no other module. */
const PLAIN_MEMBERS: Readonly<Record<string, RegExp>> = {
  require: /^(?:resolve|main)$/,
  module: /^(?:exports|id|filename|path|paths|loaded|hot)$/,
};

/** Whether a node computes the name of a module, reads the loaded ones, or runs a text as code. */
function reachesAny(node: Node, parent: Node | undefined): boolean {
  if (/^(?:node:)?module$/.test(specifierOf(node) ?? '')) return true;
  if (/^(?:mainModule|getBuiltinModule)$/.test(memberOf(node)?.name ?? '')) return true;
  if (node.type === 'ImportExpression') return plainText(node.source) === undefined;
  if (node.type === 'CallExpression' && node.callee.type === 'Import') return isComputed(node.arguments);
  if (node.type !== 'Identifier' || parent === undefined || isLabel(node, parent)) return false;
  const isCall = parent.type === 'CallExpression' || parent.type === 'NewExpression';
  const isCalled = isCall && parent.callee === node;
  if (node.name === 'eval' || node.name === 'Function') return isCalled;
  const plain = Object.hasOwn(PLAIN_MEMBERS, node.name) ? PLAIN_MEMBERS[node.name] : undefined;
  if (plain === undefined) return false;
  if (isCalled) return node.name === 'require' && isComputed(parent.arguments);
  const member = memberOf(parent);
  if (member?.object === node) return !plain.test(member.name);
  return !isHarmless(node, parent);
}

function isComputed([path]: readonly Node[]): boolean {
  return path !== undefined && plainText(path) === undefined;
}

/** A question of a name, its type or its equality, and the declaration of another thing of that name. */
function isHarmless(node: Node, parent: Node): boolean {
  if (parent.type === 'UnaryExpression') return parent.operator === 'typeof';
  if (parent.type === 'BinaryExpression') return /^[!=]==?$/.test(parent.operator);
  if (parent.type === 'VariableDeclarator') return parent.id === node;
  return 'params' in parent && Array.isArray(parent.params) && (parent.params as unknown[]).includes(node);
}

/** The text of a literal; undefined for what is computed. */
function plainText(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node.value;
  const isPlain = node.type === 'TemplateLiteral' && node.expressions.length === 0;
  return isPlain ? (node.quasis[0]!.value.cooked ?? undefined) : undefined;
}
