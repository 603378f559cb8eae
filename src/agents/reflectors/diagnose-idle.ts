import { plural } from '../../platform/text/plural.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Evidence } from './evidence.ts';
import { lookFirst } from './next-place.ts';
import { clause, describeFailure, joinList, oneLine, renderPlace } from './phrases.ts';

/** Rules for attempts without a usable edit: the attempt was refused, tampered with the checks, or changed nothing. */
export function diagnoseIdle(evidence: Evidence): Diagnosis | undefined {
  return refused(evidence) ?? tampered(evidence) ?? claimed(evidence) ?? failed(evidence) ?? idle(evidence);
}

/** Tampering that could not be reverted: the whole attempt was refused. */
function refused(evidence: Evidence): Diagnosis | undefined {
  const found = evidence.input.evaluation.tampering ?? [];
  const first = found[0];
  if (first === undefined) return undefined;
  const files = [...new Set(found.flatMap(({ file }) => (file === '' ? [] : [file])))];
  const named = files.length === 0 ? 'the change' : joinList(files.map((file) => renderPlace({ file })));
  return {
    category: 'hallucination',
    rootCause: `The attempt was refused regardless of the check results: ${clause(first.detail, 300)}.`,
    because: `A verdict based on ${named} would prove nothing, so the whole attempt does not count, including its correct changes.`,
    next: `fix the failures in the code itself, without such a change, and ${lookFirst(evidence)}`,
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
  const named = files.length === 0 ? 'protected files' : joinList(files.map((file) => renderPlace({ file })));
  return {
    category: 'hallucination',
    rootCause: `I changed the basis of the verdict instead of the code: ${clause(first.detail, 300)}.`,
    because: `The checks run with the original ${named}, so that edit could not count, and the code under test still has ${remaining(evidence)}.`,
    next: `leave ${named} alone and ${lookFirst(evidence)}`,
    lesson: `This repository protects ${named}: edits there are reverted before the checks run.`,
    strength: 0.95,
  };
}

function claimed(evidence: Evidence): Diagnosis | undefined {
  const { input, changed } = evidence;
  const isClaimed = input.trajectory.outcome === 'claimed_done';
  const isNoted = input.tampering.some(({ kind }) => kind === 'claimed_without_change');
  if (changed.length > 0 || !(isClaimed || isNoted)) return undefined;
  return {
    category: 'hallucination',
    rootCause: `I claimed that the task was done, but no file differs from the start of the attempt, and ${remaining(evidence)} remains.`,
    because: 'Without a change, the checks ran on the same tree and gave the same result.',
    next: `make an edit before I claim to be done, and ${lookFirst(evidence)}`,
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
    rootCause: `The actor "${oneLine(input.trajectory.actor, 60)}" failed before it changed a file${message === '' ? ' and left no message' : `: ${message}`}.`,
    because: `The actor failed, not an edit, so ${remaining(evidence)} says nothing about an approach.`,
    next: known
      ? `have the problem of the actor fixed first, and only then ${lookFirst(evidence)}`
      : `check whether the actor fails in the same way again; if it does not, ${lookFirst(evidence)}`,
    lesson: known
      ? `The actor "${oneLine(input.trajectory.actor, 60)}" does not run with the current setup: ${message}.`
      : '',
    strength: message === '' ? 0.3 : 0.7,
  };
}

function idle(evidence: Evidence): Diagnosis | undefined {
  const { input, changed } = evidence;
  if (changed.length > 0) return undefined;
  const { alternatives = [], outcome, ruled_out } = input.trajectory;
  if (alternatives.length > 0) return undecided(evidence, alternatives.length);
  if (ruled_out.tried > 0) return unsuccessfulSearch(evidence);
  const late = outcome === 'timed_out';
  return {
    category:
      late || input.trajectory.actions.length > 0 ? 'inefficient_planning' : 'incomplete_implementation',
    rootCause: late
      ? `The time limit was reached before I changed a file for ${remaining(evidence)}.`
      : `I ended after ${plural(input.trajectory.actions.length, 'action')} without changing a file for ${remaining(evidence)}.`,
    because:
      'Reading files and running commands leaves the tree unchanged, so the checks gave the same result.',
    next: `edit within the first steps: ${lookFirst(evidence)}`,
    lesson: '',
    strength: 0.8,
  };
}

/** Plausible edits were found, and none of them was sure enough to be applied. */
function undecided({ input }: Evidence, count: number): Diagnosis {
  return {
    category: 'other',
    rootCause: `${plural(count, 'plausible edit')} passed the tests, and none was sure enough to be applied.`,
    because: `The tests do not say which behaviour is meant: ${clause(input.trajectory.message, 300)}.`,
    next: 'add a test that tells the plausible edits apart, or apply one of them after reading it',
    lesson: '',
    strength: 0.9,
  };
}

function unsuccessfulSearch(evidence: Evidence): Diagnosis {
  const { tried, edits, nearest } = evidence.input.trajectory.ruled_out;
  const files = [...new Set(edits.map((edit) => edit.slice(0, edit.indexOf(': '))))].filter(
    (file) => file !== '',
  );
  const where = files.length === 0 ? '' : ` in ${joinList(files.map((file) => renderPlace({ file })))}`;
  const near = nearest === undefined ? '' : ` The nearest was ${clause(nearest, 240)}.`;
  return {
    category: 'inefficient_planning',
    rootCause:
      tried === 1
        ? `The one edit that I tried${where} did not pass.`
        : `None of the ${plural(tried, 'edit')} that I tried${where} passed.`,
    because: `Every edit left ${remaining(evidence)}, so the fix is not among them.${near}`,
    next:
      nearest === undefined
        ? `not repeat those edits and ${lookFirst(evidence)}`
        : `start from the nearest edit, ${oneLine(nearest, 240)}, combine it with a second one, and ${lookFirst(evidence)}`,
    lesson: where === '' ? '' : `Single small edits${where} did not fix ${remaining(evidence)}.`,
    strength: 0.8,
  };
}

function remaining({ failures, input }: Evidence): string {
  const lead = failures[0];
  if (lead !== undefined) return describeFailure(lead);
  const check = input.evaluation.checks.find(({ status }) => status === 'fail' || status === 'error');
  return check === undefined ? 'the result' : `the check "${check.name}" (${clause(check.detail)})`;
}
