import type { Evaluation } from '../../schema/generated.ts';
import {
  describeUnstable,
  describeUnstableCommand,
  findUnstableCommand,
  findUnstableTests,
} from '../stability.ts';
import { flippedTests } from '../flipped-tests.ts';
import {
  hasTurnedGreen,
  requestInCheckout,
  testsOf,
  type NotedRuns,
  type Verification,
} from './verification.ts';

/** A sentence on tests or commands that turned green and do not pass each time; undefined if there are none. */
export async function findUnstable(
  baseline: Evaluation,
  verification: Verification,
  noted: NotedRuns,
): Promise<string | undefined> {
  for (const check of verification.checks) {
    if (hasTurnedGreen(check, baseline, verification)) {
      const run = await findUnstableCommand(check, await requestInCheckout(check, verification));
      if (run !== undefined) return describeUnstableCommand(check.plan.args[0]!, run);
    }
    const tests = testsOf(check, baseline, verification);
    if (tests === undefined) continue;
    const request = await requestInCheckout(check, verification);
    const flipped = flippedTests(tests.before, tests.now);
    const unstable = await findUnstableTests(check, request, flipped, noted.get(check)!.passesOf(flipped));
    if (unstable.length > 0) return describeUnstable(unstable);
  }
  return undefined;
}
