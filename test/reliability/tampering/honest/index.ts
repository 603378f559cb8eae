import type { Case } from '../case.ts';
import { HONEST_WITH_TESTS } from './runners.ts';
import { HONEST_WITHOUT_TESTS } from './types-and-lint.ts';

/** Legitimate work, some of it with what the task allows. */
export const HONEST_CASES: readonly Case[] = [...HONEST_WITH_TESTS, ...HONEST_WITHOUT_TESTS];
