import { createModelWriter } from '../agents/acceptance/index.ts';
import type { ModelClient } from '../agents/llm/client.ts';
import type { AcceptanceTests, Bench } from '../ports.ts';
import { createAcceptanceTests } from '../proof/acceptance/index.ts';

/** Acceptance tests that a model writes; `client` is the actor's. */
export function openAcceptanceTests(client: ModelClient, bench: Bench, repository: string): AcceptanceTests {
  return createAcceptanceTests({ writer: createModelWriter(client, repository), bench });
}
