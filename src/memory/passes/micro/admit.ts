import type { Lesson, Observation } from '../../../schema/generated.ts';
import type { Admission, LessonCandidate, LessonStore } from '../../lessons/contract.ts';
import { keptAdvice } from '../../lessons/advice-problem.ts';
import { flatten } from '../../text/names.ts';
import type { MicroRequest } from './pass.ts';
import type { RuledFact } from './rules.ts';
import { groundsOf, type MicroWindow } from './window.ts';

/**
 * Proposes facts to the lessons' gate, each grounded in its quote from the window. A sentence that the user wrote is
 * stored as a preference: told at once, pinned, and never up for evidence.
 */
export async function admitFacts(
  facts: readonly RuledFact[],
  { window, known }: { readonly window: MicroWindow; readonly known: readonly Lesson[] },
  request: MicroRequest,
  store: LessonStore,
): Promise<readonly Admission[]> {
  const said = new Set(
    window.entries.filter(({ author }) => author === 'user').map(({ text }) => flatten(text)),
  );
  const isUsers = ({ fact, subject }: RuledFact): boolean =>
    subject === 'operator' && said.has(flatten(fact));
  const stated = facts
    .filter(isUsers)
    .map((fact) => toCandidate({ ...fact, claim: { kind: 'preference' } }, known, request));
  const others = facts
    .filter((fact) => !isUsers(fact))
    .map((fact) => asTold(toCandidate(fact, known, request), request));
  const allowed = others.filter((one) => 'text' in one);
  return [
    ...(stated.length === 0 ? [] : await store.admit(stated, { kind: 'stated' })),
    ...(allowed.length === 0 ? [] : await store.admit(allowed, { kind: 'texts', texts: groundsOf(window) })),
    ...others.filter((one) => 'outcome' in one),
  ];
}

/** A fact of a model as advice, which is all that it may be; a fact of the rules as it is. */
function asTold(
  candidate: LessonCandidate,
  { repositoryRoot, observations }: MicroRequest,
): LessonCandidate | Admission {
  if (candidate.claim?.kind !== 'advice') return candidate;
  const text = keptAdvice(
    repositoryRoot,
    candidate,
    observations.flatMap(({ errors }) => errors),
  );
  return text === undefined
    ? { outcome: 'refused', step: 'advice', reason: 'It is no advice that may be told in this repository.' }
    : { ...candidate, text };
}

/** `supersedes` is used only where it is the exact text of a known lesson. */
function toCandidate(
  fact: RuledFact,
  known: readonly Lesson[],
  { loopId, observations }: MicroRequest,
): LessonCandidate {
  const last = observations.filter((one) => one.loop_id === loopId).at(-1);
  const place = { loop_id: loopId, iteration: last?.iteration };
  const isPreference = fact.claim?.kind === 'preference';
  // A user's sentence is about the whole repository, whichever failures share its words.
  const errors = isPreference
    ? []
    : observations.flatMap((one) => one.errors).filter((error) => mentions(fact, error));
  return {
    text: flatten(fact.fact),
    type: fact.type,
    subject: fact.subject,
    source: { pass: 'micro', ...place },
    evidence: [{ quote: fact.evidence, ...place }],
    claim: fact.claim ?? { kind: 'advice' },
    confidence: fact.confidence,
    importance: fact.confidence,
    files: [...new Set(errors.flatMap(({ file }) => file ?? []))].slice(0, 50),
    fingerprints: [...new Set(errors.map(({ fingerprint }) => fingerprint))].slice(0, 50),
    supersedes: known.find(({ text }) => text === fact.supersedes)?.text,
  };
}

function mentions({ fact, evidence }: RuledFact, { message, rule }: Observation['errors'][number]): boolean {
  const text = `${fact}\n${evidence}`;
  return [message, rule].some((part) => part !== undefined && part.length > 3 && text.includes(part));
}
