/** Classes of fixes by the number of changed lines of code; comments, types and white space do not count. */
export const SIZE_CLASSES = ['small', 'medium', 'large', 'huge'] as const;

export type SizeClass = (typeof SIZE_CLASSES)[number];

/** Largest number of changed lines of each class but the last one. */
const LIMITS: readonly (readonly [SizeClass, number])[] = [
  ['small', 6],
  ['medium', 30],
  ['large', 100],
];

/** The class of a fix with this number of changed lines. */
export function sizeClassOf(lines: number): SizeClass {
  return LIMITS.find(([, limit]) => lines <= limit)?.[0] ?? 'huge';
}
