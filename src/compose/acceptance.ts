import { createModelWriter } from '../agents/acceptance/index.ts';
import type { AcceptanceTests, Bench, ReviewTests } from '../ports.ts';
import { createAcceptanceTests } from '../proof/acceptance/index.ts';
import type { Models } from './models.ts';

export interface AcceptanceRequirements {
  readonly bench: Bench;
  /** Absolute path. */
  readonly repository: string;
  readonly review: ReviewTests | undefined;
}

/** Acceptance tests by --acceptance-model, or else by the actor's model; undefined if there is neither. */
export function openAcceptanceTests(
  { acceptance }: Pick<Models, 'acceptance'>,
  { bench, repository, review }: AcceptanceRequirements,
): AcceptanceTests | undefined {
  if (acceptance === undefined) return undefined;
  return createAcceptanceTests({ writer: createModelWriter(acceptance, repository), bench, review });
}
