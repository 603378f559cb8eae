import type { MemoryContext, ShownLesson } from '../../ports/memory.ts';
import { boundBytes, fairShare } from '../../prompts/bounded-data.ts';

/** Bytes of memory in a prompt, so that a small task with it stays below 6 KB. */
const TOTAL = 1800;
/** Bytes of markup per item. */
const MARGIN = 20;
/** Bytes to which the prompt cuts an item. */
const MAX_ITEM = 240;
/** Bytes below which a cut playbook is left out. */
const LEAST_PLAYBOOK = 200;

/** Memory cut to the prompt's limit, in fair shares for playbook, insights, pinned lessons and other lessons. */
export function fitMemory({ playbook = '', insights, lessons }: MemoryContext): MemoryContext {
  const pinned = lessons.filter((lesson) => lesson.pinned);
  const others = lessons.filter((lesson) => !lesson.pinned);
  const textOf = ({ text }: ShownLesson): string => text;
  const sizes = [
    Buffer.byteLength(playbook),
    sum(insights.map(sizeOf)),
    ...[pinned, others].map((part) => sum(part.map(textOf).map(sizeOf))),
  ];
  const share = fairShare(sizes, TOTAL);
  const book = share < LEAST_PLAYBOOK && sizes[0]! > share ? '' : boundBytes(playbook, share);
  return {
    playbook: book === '' ? undefined : book,
    insights: fitting(insights, (text) => text, share),
    lessons: [...fitting(pinned, textOf, share), ...fitting(others, textOf, share)],
  };
}

/** The items that fit, in their order; one that is too large is skipped. */
function fitting<T>(items: readonly T[], textOf: (item: T) => string, limit: number): T[] {
  let rest = limit;
  return items.filter((item) => {
    const size = sizeOf(textOf(item));
    if (size > rest) return false;
    rest -= size;
    return true;
  });
}

function sizeOf(text: string): number {
  return Math.min(MAX_ITEM, Buffer.byteLength(text)) + MARGIN;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
