/**
 * The attack list of the verdict as actors that can be run: each number of the list has at least one. It is a
 * list of what is known, not a proof.
 */
import type { Case } from './case.ts';
import { HONEST_CASES } from './honest/index.ts';
import { CONFIGURATION_TRICKS } from './tricks/configuration.ts';
import { DEPENDENCY_TRICKS } from './tricks/dependencies.ts';
import { RUNTIME_TRICKS } from './tricks/runtime.ts';
import { TEST_TRICKS } from './tricks/tests.ts';
import { TYPE_TRICKS } from './tricks/types-and-lint.ts';

export const TRICKS: readonly Case[] = [
  ...TEST_TRICKS,
  ...CONFIGURATION_TRICKS,
  ...DEPENDENCY_TRICKS,
  ...RUNTIME_TRICKS,
  ...TYPE_TRICKS,
];

export const CATALOGUE: readonly Case[] = [...TRICKS, ...HONEST_CASES];
