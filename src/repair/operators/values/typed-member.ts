import type { Operator } from '../operator.ts';
import { replaceNode } from '../proposals.ts';
import { isNearby } from './nearby.ts';

/** `user.name` → `user.title`: other members whose type fits, according to the type checker. */
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
