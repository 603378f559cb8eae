import type { TamperingKind } from '../../schema/generated.ts';

const OF_PROTECTED: ReadonlySet<TamperingKind> = new Set<TamperingKind>([
  'protected_edited',
  'protected_deleted',
  'protected_added',
  'manifest_edited',
  'dependency_changed',
]);

/** True for an edit of a file that the actor must leave alone; false for an edit that is refused for what it does. */
export function isOfProtected(kind: TamperingKind): boolean {
  return OF_PROTECTED.has(kind);
}
