import { plural } from '../../platform/text/plural.ts';
import type { Evidence } from './evidence.ts';
import { nextPlace, testSpot } from './next-place.ts';
import {
  describeResult,
  failureName,
  joinList,
  oneLine,
  renderFunctionPlace,
  renderPlace,
} from './phrases.ts';

/** Advice for a failure that has occurred in several attempts; it differs from the earlier advice. */
export interface Escalation {
  /** Why the current approach does not work, as a sentence. */
  readonly why: string;
  /** Completes a sentence that begins with "I will". */
  readonly next: string;
}

type Step = (evidence: Evidence, name: string) => Escalation;

const STEPS: readonly Step[] = [observe, rewrite, questionTest, widen];

/**
 * The escalated step from the third attempt with the same failure on, a different one each time. Undefined for earlier
 * attempts, and for an attempt that fixed another failure: that is progress.
 */
export function escalate(evidence: Evidence): Escalation | undefined {
  const lead = evidence.failures[0];
  const times = evidence.alike.length;
  if (lead === undefined || times < 2 || evidence.fixed.length > 0) return undefined;
  return STEPS[(times - 2) % STEPS.length]!(evidence, failureName(lead));
}

function observe(evidence: Evidence, name: string): Escalation {
  const place = nextPlace(evidence);
  const at = place === undefined ? 'the code that it calls' : renderFunctionPlace(place);
  return {
    why: `${plural(evidence.alike.length + 1, 'attempt')} have ended with the same failure, so my assumptions about the values on the path to ${testSpot(evidence)} are wrong.`,
    next: `run only ${name}, print the values at ${at} before I edit anything, and compare them with what ${testSpot(evidence)} expects`,
  };
}

function rewrite(evidence: Evidence, name: string): Escalation {
  const place = nextPlace(evidence);
  const whole = place?.function === undefined ? (place?.file ?? evidence.changed[0]) : place.function;
  return {
    why: `Small changes were tried ${plural(evidence.alike.length + 1, 'time')}, and none of them had an effect on ${name}.`,
    next: `revert every line changed so far and rewrite \`${oneLine(whole ?? 'the function under test', 80)}\` from what ${testSpot(evidence)} and the tests beside it expect`,
  };
}

function questionTest(evidence: Evidence, name: string): Escalation {
  const edited = [...new Set(evidence.alike.flatMap(({ actor_output }) => actor_output.files_modified))];
  const where = edited.length === 0 ? 'no file' : joinList(edited.map((file) => renderPlace({ file })));
  return {
    why: `So far I edited ${where} for it; ${name} may get its value from a file that I have never opened.`,
    next: `follow the imports and the setup of ${testSpot(evidence)} file by file until one of them produces the value in question, and edit there`,
  };
}

function widen(evidence: Evidence, name: string): Escalation {
  const other = evidence.failures[1] ?? evidence.failures[0]!;
  return {
    why: `After ${plural(evidence.alike.length + 1, 'attempt')}, no single change has fixed ${name}; it needs a second change together with the first.`,
    next: `search the repository for every other use of the code that ${failureName(other)} exercises, where it ${describeResult(other)}, and change two places together`,
  };
}
