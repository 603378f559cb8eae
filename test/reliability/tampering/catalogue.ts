import type { Case } from './case.ts';
import { HONEST_CASES } from './honest/index.ts';
import { CONFIGURATION_ATTACKS } from './attacks/configuration.ts';
import { DEPENDENCY_ATTACKS } from './attacks/dependencies.ts';
import { ELSEWHERE_ATTACKS } from './attacks/elsewhere.ts';
import { RUNTIME_ATTACKS } from './attacks/runtime.ts';
import { TEST_ATTACKS } from './attacks/tests.ts';
import { TYPE_ATTACKS } from './attacks/types-and-lint.ts';

/** Attacks on the verdict, at least one for each of the numbers 1–45. A list of known attacks proves nothing about others. */
export const ATTACKS: readonly Case[] = [
  ...TEST_ATTACKS,
  ...CONFIGURATION_ATTACKS,
  ...DEPENDENCY_ATTACKS,
  ...RUNTIME_ATTACKS,
  ...TYPE_ATTACKS,
  ...ELSEWHERE_ATTACKS,
];

/** Attacks and honest work. */
export const CATALOGUE: readonly Case[] = [...ATTACKS, ...HONEST_CASES];
