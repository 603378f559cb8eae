import type { Evidence } from './evidence.ts';
import { nextPlace, testSpot } from './next-place.ts';
import { counted, listed, nameOf, oneLine, placed, says, spot } from './phrases.ts';

/** What to do when the same failure comes again and again: not the same advice once more. */
export interface Escalation {
  /** Why going on as before is no use, as a sentence. */
  readonly why: string;
  /** As the rest of a sentence that begins with "I will". */
  readonly next: string;
}

type Rung = (evidence: Evidence, name: string) => Escalation;

const RUNGS: readonly Rung[] = [observe, rewrite, questionTest, widen];

/**
 * From the third attempt on that meets the same failure, another step each time; undefined before, and for an
 * attempt that mended something else meanwhile: it got on.
 */
export function escalate(evidence: Evidence): Escalation | undefined {
  const lead = evidence.failures[0];
  const times = evidence.alike.length;
  if (lead === undefined || times < 2 || evidence.fixed.length > 0) return undefined;
  return RUNGS[(times - 2) % RUNGS.length]!(evidence, nameOf(lead));
}

function observe(evidence: Evidence, name: string): Escalation {
  const place = nextPlace(evidence);
  const at = place === undefined ? 'the code that it calls' : placed(place);
  return {
    why: `${counted(evidence.alike.length + 1, 'attempt')} have ended at the same failure, so what I believe about the values on the way to ${testSpot(evidence)} is not what they are.`,
    next: `run only ${name}, print the values at ${at} before I edit anything, and compare them with what ${testSpot(evidence)} asks for`,
  };
}

function rewrite(evidence: Evidence, name: string): Escalation {
  const place = nextPlace(evidence);
  const whole = place?.function === undefined ? (place?.file ?? evidence.changed[0]) : place.function;
  return {
    why: `Small changes have had their chance ${counted(evidence.alike.length + 1, 'time')} over; none of them moved ${name} at all.`,
    next: `take back every line changed so far and write \`${oneLine(whole ?? 'the function under test', 80)}\` anew from what ${testSpot(evidence)} and the tests beside it expect`,
  };
}

function questionTest(evidence: Evidence, name: string): Escalation {
  const edited = [...new Set(evidence.alike.flatMap(({ actor_output }) => actor_output.files_modified))];
  const where = edited.length === 0 ? 'no file' : listed(edited.map((file) => spot({ file })));
  return {
    why: `So far ${where} was edited for it; ${name} may get its value from somewhere that I have never opened.`,
    next: `follow the imports and the setup of ${testSpot(evidence)} file by file until one of them produces the value in question, and edit there`,
  };
}

function widen(evidence: Evidence, name: string): Escalation {
  const other = evidence.failures[1] ?? evidence.failures[0]!;
  return {
    why: `After ${counted(evidence.alike.length + 1, 'attempt')} the shortest way to ${name} is used up; a second change has to go with the first.`,
    next: `search the repository for every other use of what ${nameOf(other)} exercises, where it ${says(other)}, and change two places together`,
  };
}
