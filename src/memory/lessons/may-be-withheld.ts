import type { Lesson, WithheldMemory } from '../../schema/generated.ts';

/** False for pinned lessons and the user's own, which every loop is told. */
export function mayBeWithheld({ pinned, source, subject, claim }: Lesson): boolean {
  return !pinned && source.pass !== 'user' && subject !== 'operator' && claim?.kind !== 'preference';
}

/** True for a lesson that a loop with this draw is not told. */
export function isWithheld(lesson: Lesson, withheld: WithheldMemory | undefined): boolean {
  if (withheld === undefined || !mayBeWithheld(lesson)) return false;
  return withheld.all || lesson.id === withheld.lesson;
}
