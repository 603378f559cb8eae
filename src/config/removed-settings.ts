/** Settings of earlier versions, which have no effect any more. */
const REMOVED: ReadonlySet<string> = new Set([
  // A task always requires a change.
  'requireChange',
  // Acceptance tests take their place.
  'selfTests',
]);

/** A configuration without the settings of earlier versions that the schema no longer has. */
export function withoutRemoved<T extends object>(config: T): T {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !REMOVED.has(key))) as T;
}
