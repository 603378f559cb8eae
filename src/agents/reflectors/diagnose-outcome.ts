import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { lookFirst } from './next-place.ts';
import { clause, describeFailure, failureName, joinList, oneLine, renderPlace } from './phrases.ts';

/** Fallback when no other rule applies: a diagnosis by the type of the first failure, or by the failed check. */
export function diagnoseOutcome(evidence: Evidence): Diagnosis {
  return wrongValue(evidence) ?? unfinished(evidence) ?? unnamed(evidence);
}

function wrongValue(evidence: Evidence): Diagnosis | undefined {
  const { failures, difference, changed, fresh, moved } = evidence;
  const failure = failures.find(({ type }) => type !== 'lint_error' && type !== 'type_error');
  if (failure === undefined) return undefined;
  const where = joinList(changed.map((file) => renderPlace({ file })));
  const relation = difference === undefined ? '' : ` The received value ${difference.relation}.`;
  const effect =
    fresh.length + moved.length === 0 ? 'did not change the check results' : 'changed which failures occur';
  return {
    category: 'logic_error',
    rootCause: `The edit in ${where} ${effect}: ${describeFailure(failure)}.`,
    because: `The code runs to completion with a wrong result.${relation} The edit in ${where} does not change the step that causes it.`,
    next: lookFirst(evidence),
    lesson: `With an edit in ${where} alone, ${failureName(failure)} still fails.`,
    strength: difference === undefined ? 0.45 : 0.6,
  };
}

function unfinished(evidence: Evidence): Diagnosis | undefined {
  const { failures, fresh, changed } = evidence;
  const lead = failures[0];
  if (lead === undefined) return undefined;
  const kind = lead.type === 'lint_error' ? 'lint error' : 'type error';
  const where = joinList(changed.map((file) => renderPlace({ file })));
  const rules = joinList([...new Set(failures.map(failureName))]);
  return {
    category: 'incomplete_implementation',
    rootCause: `${plural(failures.length, kind)} ${failures.length === 1 ? 'remains' : 'remain'} after the edit in ${where}: ${describeFailure(lead)}.`,
    because:
      fresh.length === 0
        ? `The edit in ${where} does not reach ${renderPlace({ file: lead.file ?? changed[0]!, line: lead.line })}, where ${failureName(lead)} is reported.`
        : `The edit in ${where} does not comply with ${rules}.`,
    next: `fix ${describeFailure(lead)} at the reported place`,
    lesson: `The check "${oneLine(lead.check)}" enforces ${rules} here, so an edit is complete only when this check passes too.`,
    strength: 0.75,
  };
}

function unnamed(evidence: Evidence): Diagnosis {
  const { input, changed } = evidence;
  const { checks, missing_tests: missing } = input.evaluation;
  const check = checks.find(({ status }) => status === 'fail');
  const where = joinList(changed.map((file) => renderPlace({ file })));
  const gone =
    missing.length === 0
      ? ''
      : ` ${plural(missing.length, 'test')} did not run; the first is ${oneLine(missing[0]!)}.`;
  const seen =
    check === undefined
      ? 'no check passed as a whole'
      : `"${check.name}" failed: ${clause(check.detail, 300)}`;
  return {
    category: missing.length > 0 ? 'integration_error' : 'other',
    rootCause: `After the edit in ${where} ${seen}.${gone}`,
    because: `The check names no file and no line, so the edit in ${where} is the only lead.`,
    next:
      missing.length > 0
        ? `find out why ${oneLine(missing[0]!)} does not run, and ${lookFirst(evidence)}`
        : lookFirst(evidence),
    lesson: missing.length > 0 ? `${oneLine(missing[0]!)} does not run if ${where} cannot be loaded.` : '',
    strength: missing.length > 0 ? 0.5 : 0.1,
  };
}
