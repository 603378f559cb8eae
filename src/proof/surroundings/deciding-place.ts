import type { Node } from '@babel/types';
import { memberOf } from '../acceptance/syntax.ts';
import type { Site } from '../../repair/syntax/walk.ts';

/** The expression by which a value decides what the code does. */
export interface DecidingPlace {
  readonly node: Node;
  /** True if its truth decides, false if its value is used as it is. */
  readonly isCondition: boolean;
}

export interface DecidingOptions {
  /** The value is a path of the code itself: it counts only where it decides a condition. */
  readonly isPath: boolean;
  /** True for a name of the language or of a module, false for a function of the file. */
  readonly isBuiltIn: (name: string) => boolean;
}

const COMPARISONS = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', 'in', 'instanceof']);
const FILE_READS = /^(readFile|open|createReadStream|readdir|opendir|realpath|import)/;
const CLEAR = new Set([
  ...['ParenthesizedExpression', 'TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'],
  ...['AwaitExpression', 'ChainExpression'],
]);

/** The outermost expression that is the value, a member of it, or the result of calling it. */
export function valueOf(site: Site): Site {
  for (let at = site; ;) {
    const up = at.parent;
    if (up === undefined) return at;
    const isPart =
      memberOf(up.node) !== undefined || up.node.type.endsWith('MemberExpression')
        ? at.key === 'object'
        : false;
    const isCalled = /^(Optional)?(Call|New)Expression$/.test(up.node.type) && at.key === 'callee';
    if (!isPart && !isCalled && !CLEAR.has(up.node.type)) return at;
    at = up;
  }
}

/** Where a value that is read decides; undefined for a path that decides no condition. */
export function decidingPlace(site: Site, options: DecidingOptions): DecidingPlace | undefined {
  const value = throughBuiltIns(valueOf(site), options);
  const condition = conditionAround(value, options);
  if (condition !== undefined) return { node: condition.node, isCondition: true };
  return options.isPath ? undefined : { node: value.node, isCondition: false };
}

/** The result of the built-in functions that the value is passed to: `Object.keys(process.env).length`. */
function throughBuiltIns(value: Site, { isPath, isBuiltIn }: DecidingOptions): Site {
  for (let at = value; ;) {
    const call = at.parent?.node;
    if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return at;
    if (at.key !== 'arguments' || (isPath && readsFile(call.callee))) return at;
    if (!isBuiltInCallee(call.callee, isBuiltIn)) return at;
    at = valueOf(at.parent!);
  }
}

function readsFile(callee: Node): boolean {
  const name = callee.type === 'Identifier' ? callee.name : memberOf(callee)?.name;
  return name !== undefined && FILE_READS.test(name);
}

function isBuiltInCallee(callee: Node, isBuiltIn: (name: string) => boolean): boolean {
  if (callee.type === 'Identifier') return isBuiltIn(callee.name);
  const object = memberOf(callee)?.object;
  if (object === undefined) return false;
  if (object.type === 'Identifier') return isBuiltIn(object.name);
  return /Literal$|^ArrayExpression$/.test(object.type) || isBuiltInCallee(object, isBuiltIn);
}

/** The smallest condition that the value decides, alone or by what is computed from it. */
function conditionAround(value: Site, options: DecidingOptions): Site | undefined {
  for (let at = value; ;) {
    const up = at.parent;
    if (up === undefined) return undefined;
    const { node } = up;
    if (node.type === 'BinaryExpression' && COMPARISONS.has(node.operator)) return up;
    if (isTruthOf(at)) return at;
    const isArithmetic =
      node.type === 'BinaryExpression' ||
      node.type === 'TemplateLiteral' ||
      (node.type === 'UnaryExpression' && node.operator !== 'void') ||
      (node.type === 'LogicalExpression' && at.key === 'right') ||
      (node.type === 'ConditionalExpression' && at.key !== 'test') ||
      CLEAR.has(node.type);
    if (!isArithmetic) return undefined;
    at = throughBuiltIns(valueOf(up), options);
  }
}

/** True if the truth of a node decides, whatever its value is. */
function isTruthOf({ key, parent }: Site): boolean {
  if (parent === undefined) return false;
  const { node } = parent;
  if (key === 'test') return true;
  if (node.type === 'UnaryExpression') return node.operator === '!';
  if (node.type !== 'LogicalExpression') return false;
  return (node.operator === '&&' && key === 'left') || (node.operator !== '??' && isTruthOf(parent));
}
