import type { Node } from '@babel/types';
import type { Site } from './walk.ts';

/** Whether the site's value is read: it is no assignment target, declared name, key or label. */
export function isRead(site: Site): boolean {
  const { parent, key } = site;
  if (parent === undefined) return false;
  const { node } = parent;
  switch (node.type) {
    case 'VariableDeclarator':
      return key === 'init';
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return key === 'right';
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return key === 'object' || node.computed;
    case 'ObjectProperty':
      return (key === 'value' && !node.shorthand && !isPattern(parent)) || (key === 'key' && node.computed);
    case 'ForInStatement':
    case 'ForOfStatement':
      return key === 'right';
    case 'ArrowFunctionExpression':
      return key === 'body';
    case 'ClassProperty':
      return key === 'value';
    case 'ClassMethod':
    case 'ObjectMethod':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'ArrayPattern':
    case 'RestElement':
    case 'CatchClause':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'UpdateExpression':
    case 'ExportSpecifier':
    case 'MetaProperty':
    case 'TSParameterProperty':
    case 'JSXOpeningElement':
    case 'JSXClosingElement':
    case 'JSXAttribute':
    case 'PrivateName':
      return false;
    default:
      return !(node.type === 'UnaryExpression' && (node.operator === 'delete' || node.operator === 'typeof'));
  }
}

function isPattern(site: Site): boolean {
  return site.parent?.node.type === 'ObjectPattern';
}

/** Names and members of names: reading them twice is the same as once. */
export function isRepeatable(node: Node): boolean {
  if (node.type === 'Identifier' || node.type === 'ThisExpression') return true;
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return false;
  const isPlain = !node.computed || /^(Identifier|NumericLiteral|StringLiteral)$/.test(node.property.type);
  return isPlain && isRepeatable(node.object);
}
