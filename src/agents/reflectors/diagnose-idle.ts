import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { lookFirst } from './next-place.ts';
import { clause, counted, describe, listed, oneLine, spot } from './phrases.ts';

/** Attempts whose answer was no repair: the verdict was tampered with, or nothing was changed at all. */
export function diagnoseIdle(evidence: Evidence): Diagnosis | undefined {
  return refused(evidence) ?? tampered(evidence) ?? claimed(evidence) ?? failed(evidence) ?? idle(evidence);
}

/** Nothing could be put back: the tree was refused as it is. */
function refused(evidence: Evidence): Diagnosis | undefined {
  const found = evidence.input.evaluation.tampering ?? [];
  const first = found[0];
  if (first === undefined) return undefined;
  const files = [...new Set(found.flatMap(({ file }) => (file === '' ? [] : [file])))];
  const named = files.length === 0 ? 'the change' : listed(files.map((file) => spot({ file })));
  return {
    category: 'hallucination',
    rootCause: `The attempt was refused, whatever the checks said: ${clause(first.detail, 300)}.`,
    because: `A verdict that rests on ${named} as it was left would prove nothing, so the attempt counts for nothing, with what may be right in it.`,
    next: `mend what the checks say in the code itself, without that, and ${lookFirst(evidence)}`,
    lesson: `In this repository an attempt is refused for this: ${clause(first.detail, 200)}.`,
    strength: 0.95,
  };
}

function tampered(evidence: Evidence): Diagnosis | undefined {
  const { input, failures } = evidence;
  const unloadable = failures.some(({ type }) => type === 'syntax_error' || type === 'runtime_error');
  const found = input.tampering.filter(
    ({ kind }) => kind !== 'claimed_without_change' && !(kind === 'tests_missing' && unloadable),
  );
  const first = found[0];
  if (first === undefined) return undefined;
  const files = [...new Set(found.flatMap(({ file }) => (file === '' ? [] : [file])))];
  const named =
    files.length === 0 ? 'what the verdict rests on' : listed(files.map((file) => spot({ file })));
  return {
    category: 'hallucination',
    rootCause: `I worked on the judge instead of the code: ${clause(first.detail, 300)}.`,
    because: `${named} is put back as it was before anything is scored, so that edit could not count, and the code under test was left with ${remaining(evidence)}.`,
    next: `leave ${named} alone and ${lookFirst(evidence)}`,
    lesson: `In this repository ${named} is protected: an edit there is undone before the checks run.`,
    strength: 0.95,
  };
}

function claimed(evidence: Evidence): Diagnosis | undefined {
  const { input, changed } = evidence;
  const says = input.trajectory.outcome === 'claimed_done';
  const told = input.tampering.some(({ kind }) => kind === 'claimed_without_change');
  if (changed.length > 0 || !(says || told)) return undefined;
  return {
    category: 'hallucination',
    rootCause: `I said that the task was done, but no file differs from where the attempt started, and ${remaining(evidence)} is still there.`,
    because: 'Without a change the checks saw the same tree and had to say the same.',
    next: `make an edit before I call it done, and ${lookFirst(evidence)}`,
    lesson: '',
    strength: 0.95,
  };
}

function failed(evidence: Evidence): Diagnosis | undefined {
  const { input, changed } = evidence;
  if (changed.length > 0 || input.trajectory.outcome !== 'failed') return undefined;
  const message = clause(input.trajectory.message, 300);
  const cannotStart = /not found|ENOENT|EACCES|permission denied|api.?key|unauthori[sz]ed|\b40[13]\b|quota/i;
  const known = cannotStart.test(message);
  return {
    category: known ? 'configuration_error' : 'other',
    rootCause: `The actor "${oneLine(input.trajectory.actor, 60)}" failed before it had changed a file${message === '' ? ' and left no message' : `: ${message}`}.`,
    because: `What failed is the actor, not an edit, so ${remaining(evidence)} says nothing about an approach.`,
    next: known
      ? `have the actor's own fault mended first, and only then ${lookFirst(evidence)}`
      : `see whether the actor fails the same way once more; if it does not, ${lookFirst(evidence)}`,
    lesson: known
      ? `The actor "${oneLine(input.trajectory.actor, 60)}" does not run here as it is set up: ${message}.`
      : '',
    strength: message === '' ? 0.3 : 0.7,
  };
}

function idle(evidence: Evidence): Diagnosis | undefined {
  const { input, changed } = evidence;
  if (changed.length > 0) return undefined;
  const { outcome, ruled_out } = input.trajectory;
  if (ruled_out.tried > 0) return searchedInVain(evidence);
  const late = outcome === 'timed_out';
  return {
    category:
      late || input.trajectory.actions.length > 0 ? 'inefficient_planning' : 'incomplete_implementation',
    rootCause: late
      ? `The time was up before I had changed a file for ${remaining(evidence)}.`
      : `I ended after ${counted(input.trajectory.actions.length, 'action')} without changing a file for ${remaining(evidence)}.`,
    because: 'Reading and running alone leaves the tree as it was, so the checks had to say the same.',
    next: `edit within the first steps: ${lookFirst(evidence)}`,
    lesson: '',
    strength: 0.8,
  };
}

function searchedInVain(evidence: Evidence): Diagnosis {
  const { tried, edits, nearest } = evidence.input.trajectory.ruled_out;
  const files = [...new Set(edits.map((edit) => edit.slice(0, edit.indexOf(': '))))].filter(
    (file) => file !== '',
  );
  const where = files.length === 0 ? '' : ` in ${listed(files.map((file) => spot({ file })))}`;
  const near = nearest === undefined ? '' : ` The nearest was ${clause(nearest, 240)}.`;
  return {
    category: 'inefficient_planning',
    rootCause: `None of the ${counted(tried, 'edit')} that I tried${where} passed.`,
    because: `Each left ${remaining(evidence)}, so the repair is not among them.${near}`,
    next:
      nearest === undefined
        ? `leave those edits out and ${lookFirst(evidence)}`
        : `begin from the nearest edit, ${oneLine(nearest, 240)}, combine it with a second one, and ${lookFirst(evidence)}`,
    lesson: where === '' ? '' : `Single small edits${where} did not mend ${remaining(evidence)}.`,
    strength: 0.8,
  };
}

function remaining({ failures, input }: Evidence): string {
  const lead = failures[0];
  if (lead !== undefined) return describe(lead);
  const check = input.evaluation.checks.find(({ status }) => status === 'fail' || status === 'error');
  return check === undefined ? 'the result' : `the check "${check.name}" (${clause(check.detail)})`;
}
