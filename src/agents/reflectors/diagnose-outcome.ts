import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { lookFirst } from './next-place.ts';
import { clause, counted, describe, listed, nameOf, oneLine, spot } from './phrases.ts';

/** What is left when no sharper rule applies: the kind of the first failure, or of the check that failed. */
export function diagnoseOutcome(evidence: Evidence): Diagnosis {
  return wrongValue(evidence) ?? unfinished(evidence) ?? unnamed(evidence);
}

function wrongValue(evidence: Evidence): Diagnosis | undefined {
  const { failures, difference, changed, fresh, moved } = evidence;
  const failure = failures.find(({ type }) => type !== 'lint_error' && type !== 'type_error');
  if (failure === undefined) return undefined;
  const where = listed(changed.map((file) => spot({ file })));
  const relation = difference === undefined ? '' : ` What was received ${difference.relation}.`;
  const effect =
    fresh.length + moved.length === 0
      ? 'did not change what the checks see'
      : 'changed which failures there are';
  return {
    category: 'logic_error',
    rootCause: `The edit in ${where} ${effect}: ${describe(failure)}.`,
    because: `The code runs to its end and gives a wrong result.${relation} The edit in ${where} does not touch the step that makes it wrong.`,
    next: lookFirst(evidence),
    lesson: `An edit in ${where} alone leaves ${nameOf(failure)} as it is.`,
    strength: difference === undefined ? 0.45 : 0.6,
  };
}

function unfinished(evidence: Evidence): Diagnosis | undefined {
  const { failures, fresh, changed } = evidence;
  const lead = failures[0];
  if (lead === undefined) return undefined;
  const kind = lead.type === 'lint_error' ? 'lint error' : 'type error';
  const where = listed(changed.map((file) => spot({ file })));
  const rules = listed([...new Set(failures.map(nameOf))]);
  return {
    category: 'incomplete_implementation',
    rootCause: `${counted(failures.length, kind)} ${failures.length === 1 ? 'is' : 'are'} left after the edit in ${where}: ${describe(lead)}.`,
    because:
      fresh.length === 0
        ? `The edit in ${where} does not reach ${spot({ file: lead.file ?? changed[0]!, line: lead.line })}, where ${nameOf(lead)} is reported.`
        : `The edit in ${where} is not in the form that ${rules} asks for.`,
    next: `mend ${describe(lead)} at its own place`,
    lesson: `The check "${oneLine(lead.check)}" holds ${rules} against a change here, so an edit is done only when it passes as well.`,
    strength: 0.75,
  };
}

function unnamed(evidence: Evidence): Diagnosis {
  const { input, changed } = evidence;
  const { checks, missing_tests: missing } = input.evaluation;
  const check = checks.find(({ status }) => status === 'fail');
  const where = listed(changed.map((file) => spot({ file })));
  const gone =
    missing.length === 0
      ? ''
      : ` ${counted(missing.length, 'test')} did not run, ${oneLine(missing[0]!)} first.`;
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
    lesson: missing.length > 0 ? `${oneLine(missing[0]!)} stops running when ${where} cannot be loaded.` : '',
    strength: missing.length > 0 ? 0.5 : 0.1,
  };
}
