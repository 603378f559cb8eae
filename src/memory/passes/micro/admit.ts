import type { Lesson, MicroFact, Observation } from '../../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../../lessons/contract.ts';
import { flatten } from '../../text/names.ts';
import type { MicroRequest } from './pass.ts';
import { groundsOf, type MicroWindow } from './window.ts';

/** Proposes facts to the lessons' gate, each grounded in its quote from the window. */
export function admitFacts(
  facts: readonly MicroFact[],
  { window, known }: { readonly window: MicroWindow; readonly known: readonly Lesson[] },
  request: MicroRequest,
  store: LessonStore,
): Promise<readonly Admission[]> {
  const candidates = facts.map((fact) => toCandidate(fact, known, request));
  if (candidates.length === 0) return Promise.resolve([]);
  return store.admit(candidates, { kind: 'texts', texts: groundsOf(window) });
}

/** `supersedes` is used only where it is the exact text of a known lesson. */
function toCandidate(
  fact: MicroFact,
  known: readonly Lesson[],
  { loopId, observations }: MicroRequest,
): LessonCandidate {
  const last = observations.filter((one) => one.loop_id === loopId).at(-1);
  const place = { loop_id: loopId, iteration: last?.iteration };
  const errors = observations.flatMap((one) => one.errors).filter((error) => mentions(fact, error));
  return {
    text: flatten(fact.fact),
    type: fact.type,
    subject: fact.subject,
    source: { pass: 'micro', ...place },
    evidence: [{ quote: fact.evidence, ...place }],
    confidence: fact.confidence,
    importance: fact.confidence,
    files: [...new Set(errors.flatMap(({ file }) => file ?? []))].slice(0, 50),
    fingerprints: [...new Set(errors.map(({ fingerprint }) => fingerprint))].slice(0, 50),
    supersedes: known.find(({ text }) => text === fact.supersedes)?.text,
  };
}

function mentions({ fact, evidence }: MicroFact, { message, rule }: Observation['errors'][number]): boolean {
  const text = `${fact}\n${evidence}`;
  return [message, rule].some((part) => part !== undefined && part.length > 3 && text.includes(part));
}
