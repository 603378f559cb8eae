import type { MemoryContext } from '../ports/memory.ts';
import type { AttemptPrompt } from './attempt.ts';
import { fenced, line } from './bounded-data.ts';
import { fenceFor } from './fence.ts';

const MAX_ITEMS = 10;
/** Maximum sizes in bytes. */
const MAX_PLAYBOOK = 1200;
const MAX_INSIGHT = 200;
const MAX_LESSON = 320;

type MemorySection = Pick<AttemptPrompt, 'playbook' | 'pinned' | 'memories' | 'memoryFence' | 'learned'>;

/** Variables for long-term memory, most important part first, each bounded; all empty if there is no memory. */
export function memorySection({ playbook, insights, lessons }: Partial<MemoryContext> = {}): MemorySection {
  const pinned = (lessons ?? []).filter((lesson) => lesson.pinned);
  const learned = (lessons ?? []).filter((lesson) => !lesson.pinned);
  const shown = [...(insights ?? []), ...learned.map(({ text }) => text)].join('\n');
  return {
    memoryFence: fenceFor(shown),
    playbook: fenced(playbook ?? '', MAX_PLAYBOOK),
    pinned: pinned.slice(0, MAX_ITEMS).map(({ text }) => line(text, MAX_LESSON)),
    memories: (insights ?? []).slice(0, MAX_ITEMS).map((text) => line(text, MAX_INSIGHT)),
    learned: learned
      .slice(0, MAX_ITEMS - Math.min(MAX_ITEMS, pinned.length))
      .map(({ type, text }) => ({ type, text: line(text, MAX_LESSON) })),
  };
}
