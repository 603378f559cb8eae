import { createModelWriter } from '../agents/acceptance/index.ts';
import type { AcceptanceTests, Bench } from '../ports.ts';
import { createAcceptanceTests } from '../proof/acceptance/index.ts';
import type { Models } from './models.ts';

/**
 * Acceptance tests by --acceptance-model, or else by the actor's model; undefined if there is neither. `repository` is
 * its absolute path.
 */
export function openAcceptanceTests(
  { acceptance }: Pick<Models, 'acceptance'>,
  bench: Bench,
  repository: string,
): AcceptanceTests | undefined {
  if (acceptance === undefined) return undefined;
  return createAcceptanceTests({ writer: createModelWriter(acceptance, repository), bench });
}
