import type { Case } from '../case.ts';
import { HONEST_WITH_TESTS } from './runners.ts';
import { HONEST_WITHOUT_TESTS } from './types-and-lint.ts';

/** Legitimate changes, some of which the task allows explicitly. */
export const HONEST_CASES: readonly Case[] = [...HONEST_WITH_TESTS, ...HONEST_WITHOUT_TESTS];
