import type { MemoryContext, ShownLesson } from '../../ports.ts';
import { boundBytes, fairShare } from '../../prompts/bounded-data.ts';

/** Bytes that all of memory takes in a prompt: a small task with it still fits 6 KB. */
const TOTAL = 1800;
/** Of a heading, and around an item. */
const MARGIN = 20;
/** Bytes of one item at most, as the prompt cuts it. */
const MAX_ITEM = 240;
/** Less of a playbook than this says nothing. */
const LEAST_PLAYBOOK = 200;

/** As much of memory as a prompt has room for; playbook, pinned lessons, insights and other lessons share it fairly. */
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
    ...(book !== '' && { playbook: book }),
    insights: fitting(insights, (text) => text, share),
    lessons: [...fitting(pinned, textOf, share), ...fitting(others, textOf, share)],
  };
}

/** Items in their order as long as there is room; one that is too large gives way to the next. */
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
