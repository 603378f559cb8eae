import type { Node } from '@babel/types';

/** Whether a node reads a member of an object. */
export function isMember({ type }: Node): boolean {
  return type === 'MemberExpression' || type === 'OptionalMemberExpression';
}

/** The name of the member that a node reads; undefined for a name that is computed. */
export function memberNameOf(node: Node): string | undefined {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression'
    ? nameOf(node.property, node.computed)
    : undefined;
}

/** The text of a key; undefined if it is computed. */
export function nameOf(key: Node, isComputed: boolean): string | undefined {
  if (key.type === 'StringLiteral') return key.value;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0)
    return key.quasis[0]?.value.cooked ?? '';
  return key.type === 'Identifier' && !isComputed ? key.name : undefined;
}

/** The variable at the left end of a chain of members. */
export function rootOf(node: Node): string | undefined {
  let at = node;
  while (at.type === 'MemberExpression' || at.type === 'OptionalMemberExpression') at = at.object;
  return at.type === 'Identifier' ? at.name : undefined;
}
