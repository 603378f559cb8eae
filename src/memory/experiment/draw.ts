import { createHash } from 'node:crypto';
import type { MemoryTrial } from '../../schema/generated.ts';

/** What is drawn from, before anything is known of the loop's result. */
export interface DrawRequest {
  /** At least 2. */
  readonly oneIn: number;
  /** Ids of the lessons that the loop would be told and that may be withheld. */
  readonly lessons: readonly string[];
  /** Number of earlier loops that memory had something for. */
  readonly earlier: number;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/**
 * Draws what a loop is not told. Of the first `oneIn` loops nothing is withheld. A later one is without memory with the
 * probability 1 ÷ n. In the others at most n lessons, in a random order, take n places, and the lesson at one random
 * place is withheld: each with the probability 1 ÷ n, however many lessons there are.
 */
export function drawTrial({
  oneIn,
  lessons,
  earlier,
  random,
}: DrawRequest): Pick<MemoryTrial, 'arm' | 'lessons' | 'withheld'> {
  if (earlier < oneIn) return { arm: 'waiting', lessons: [], withheld: null };
  if (random() < 1 / oneIn) return { arm: 'untold', lessons: [], withheld: null };
  const placed = shuffled(lessons, random).slice(0, oneIn);
  return { arm: 'told', lessons: placed, withheld: placed[Math.floor(random() * oneIn)] ?? null };
}

/** Numbers in [0, 1) that depend on the seed alone: the first 48 bits of SHA-256 of the seed and a counter. */
export function seededNumbers(seed: string): () => number {
  let count = 0;
  return () => createHash('sha256').update(`${seed}\0${count++}`).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Fisher and Yates's shuffle. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
