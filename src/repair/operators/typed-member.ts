import { isNearby } from './nearby.ts';
import { type Operator, replaceNode } from './operator.ts';

/** `user.name` → `user.title`: another member that the type checker says fits, wherever its type is declared. */
export const typedMember: Operator = {
  name: 'typed-member',
  prior: 0.5,
  *propose({ node }, { typedMembersAt }) {
    if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return;
    const { computed, property } = node;
    if (computed || property.type !== 'Identifier') return;
    for (const [index, name] of typedMembersAt(property.start!).entries()) {
      yield replaceNode(property, name, isNearby(property.name, name) ? 1 : 1 / (1 + index * 0.15));
    }
  },
};
