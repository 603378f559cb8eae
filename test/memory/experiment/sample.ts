import type { MemoryTrial } from '../../../src/schema/generated.ts';

/** A loop of the experiment that was told and passed in its first attempt. */
export function trial(loop: string, over: Partial<MemoryTrial> = {}): MemoryTrial {
  return {
    ...{ loop_id: loop, at: '2026-01-01T00:00:00.000Z', one_in: 8, arm: 'told', lessons: [], withheld: null },
    ...{ passed: true, attempts: 1, tried: null },
    ...over,
  };
}

/** Loops of the experiment, numbered. */
export function trials(count: number, of: (index: number) => Partial<MemoryTrial>): MemoryTrial[] {
  return Array.from({ length: count }, (_, index) => trial(`ralph-${index}`, of(index)));
}
