import { functionOf, nearest, type Site } from '../syntax/walk.ts';
import type { Change } from './change.ts';
import type { TestValues } from './evidence.ts';
import { newLiterals } from './new-literals.ts';

/** Strings of this length are not inserted anywhere if a test names them. */
const LONG = 4;

/** A value of a test that an edit puts into the result of a function, as text; undefined if there is none. */
export function putsInExpectedValue(change: Change, { values }: TestValues): string | undefined {
  return newLiterals(change).find(
    ({ site, value }) =>
      values.has(value) &&
      (isResult(site, change.sitesAfter) ||
        (value.startsWith('"') && value.length >= LONG + 2 && !isCompared(site))),
  )?.value;
}

/** Whether a literal is, in itself or as a part of an array or object, what its function returns. */
export function isResult(site: Site, sites: readonly Site[]): boolean {
  const top = valueSite(site);
  const { parent, key } = top;
  if (parent === undefined) return false;
  switch (parent.node.type) {
    case 'ReturnStatement':
      return true;
    case 'ArrowFunctionExpression':
      return key === 'body';
    case 'VariableDeclarator':
      return key === 'init' && isReturned(parent.node.id, top, sites);
    case 'AssignmentExpression':
      return key === 'right' && isReturned(parent.node.left, top, sites);
    case 'CallExpression': {
      const { callee } = parent.node;
      return (
        key === 'arguments' && callee.type === 'MemberExpression' && isReturned(callee.object, top, sites)
      );
    }
    default:
      return false;
  }
}

const PASSING = new Set([
  'ParenthesizedExpression',
  'AwaitExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'ArrayExpression',
  'ObjectExpression',
  'ObjectProperty',
  'LogicalExpression',
]);

/** The largest expression that may have the literal as its value or as a part of it. */
function valueSite(site: Site): Site {
  const { parent, key } = site;
  if (parent === undefined) return site;
  const { type } = parent.node;
  const passes = (PASSING.has(type) && key !== 'key') || (type === 'ConditionalExpression' && key !== 'test');
  return passes ? valueSite(parent) : site;
}

/** Whether a `return` of the same function returns exactly the variable. */
function isReturned(target: unknown, at: Site, sites: readonly Site[]): boolean {
  const { type, name } = target as { type: string; name?: string };
  const owner = functionOf(at)?.node;
  if (type !== 'Identifier' || owner === undefined) return false;
  return sites.some(
    (site) =>
      site.node.type === 'ReturnStatement' &&
      site.node.argument?.type === 'Identifier' &&
      site.node.argument.name === name &&
      functionOf(site)?.node === owner,
  );
}

function isCompared(site: Site): boolean {
  const owner = nearest(site, ({ type }) =>
    /^(BinaryExpression|SwitchCase|.*Statement|VariableDeclaration)$/.test(type),
  );
  return (
    owner?.node.type === 'SwitchCase' ||
    (owner?.node.type === 'BinaryExpression' && owner.node.operator !== '+')
  );
}
