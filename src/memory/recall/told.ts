import type { MemoryContext } from '../../ports/memory.ts';
import type { Lesson } from '../../schema/generated.ts';

/** The lessons that a prompt with this memory has, by themselves or in the playbook and the insights. */
export function toldIn(memory: MemoryContext, lessons: readonly Lesson[]): Lesson[] {
  const shown = new Set(memory.lessons.map(({ id }) => id));
  const slots = foldedSlots(memory);
  return lessons.filter(({ id, text }) => shown.has(id) || slots.includes(folded(text)));
}

/** Playbook and insights as one text, to look for lessons in. */
export function foldedSlots({
  playbook = '',
  insights = [],
}: Partial<Omit<MemoryContext, 'lessons'>>): string {
  return folded([playbook, ...insights].join('\n'));
}

/** The text in lower case, with single spaces. */
export function folded(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
