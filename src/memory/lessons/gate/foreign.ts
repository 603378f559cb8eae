import { lessonProblem, statementProblem } from '../../../prompts/foreign-advice.ts';
import type { LessonCandidate } from '../contract.ts';
import { refusal, type GateResult } from './gate-result.ts';

/**
 * Refuses (`ungrounded`) what a model or program cannot know: advice that is a statement, gives a reason, speaks of the checks
 * or for somebody, or poses as a sentence that ralph makes of what it saw. Your own words are not looked at, nor patterns of edits
 * that the gate of another repository of the fleet has passed and that were confirmed there (`import`).
 */
export function refuseForeign(candidate: LessonCandidate): GateResult {
  const { text, source, claim } = candidate;
  const isOpen = source.pass !== 'import' && (claim === undefined || claim.kind === 'advice');
  const isAdvice = isOpen && (source.pass === 'mcp' || claim !== undefined);
  const isStatement = isOpen && !isAdvice && source.pass !== 'reflection';
  const problem = isAdvice ? lessonProblem(text) : isStatement ? statementProblem(text) : undefined;
  return problem === undefined ? { ok: true, candidate } : refusal('ungrounded', problem);
}
