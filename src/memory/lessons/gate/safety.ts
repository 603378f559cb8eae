import { redact } from '../../../platform/redaction/redact.ts';
import { dangerIn } from '../../../platform/redaction/unsafe-text.ts';
import { policyProblem } from '../../../prompts/policy.ts';
import type { LessonCandidate } from '../contract.ts';
import { refusal, type GateResult } from './gate-result.ts';

/**
 * Refuses (`safety`) texts with secrets, invisible characters, prompt injections or shell attacks, and advice against
 * ralph's rules, unless the user states it. Secrets in quotes are redacted.
 */
export function keepSafe(candidate: LessonCandidate): GateResult {
  const danger = dangerIn(candidate.text);
  if (danger !== undefined) return refusal('safety', danger);
  const problem = isAdvice(candidate) ? policyProblem(candidate.text) : undefined;
  if (problem !== undefined) return refusal('safety', problem);
  return { ok: true, candidate: { ...candidate, evidence: candidate.evidence.map(redactQuote) } };
}

function redactQuote(evidence: LessonCandidate['evidence'][number]): LessonCandidate['evidence'][number] {
  return { ...evidence, quote: redact(evidence.quote) };
}

function isAdvice({ source, claim }: LessonCandidate): boolean {
  return source.pass !== 'user' && (claim === undefined || claim.kind === 'advice');
}
