import type { Diagnostic, Evaluation } from '../schema/generated.ts';
import type { Attempt } from './attempt.ts';
import type { VerdictInput } from './verdict.ts';

const NAMED = 3;

/** One or two sentences: why the loop ended so, what still fails, and what the actor did that was refused. */
export function reasonOf(
  input: Pick<VerdictInput, 'status' | 'attempts' | 'baseline' | 'best' | 'maxIterations' | 'spent'>,
): string {
  const { status, attempts, baseline, best, maxIterations } = input;
  const left = failuresOf(best?.evaluation ?? baseline);
  const refused = refusalOf(attempts);
  const say = (first: string): string => [first, left, refused].filter((part) => part !== '').join(' ');
  switch (status) {
    case 'passed':
      return [
        `Every check passed in attempt ${attempts.length}, and the repository's own test command confirmed it.`,
        refused,
      ]
        .join(' ')
        .trim();
    case 'nothing_to_do':
      return 'Every check passes already: nothing to do.';
    case 'exhausted':
      return say(`All ${maxIterations} attempts are used up.`);
    case 'stalled':
      return say(`The last attempts brought nothing new (${attempts.length} of ${maxIterations} used).`);
    case 'budget':
      return say(input.spent ?? 'The budget is spent.');
    case 'aborted':
      return say('Stopped on request; every finished step is saved.');
    default:
      return say('The loop could not go on.');
  }
}

/** What is red, by check, with the first failures named; empty for a green evaluation. */
export function failuresOf(evaluation: Evaluation): string {
  const parts = evaluation.checks
    .filter(({ status }) => status !== 'pass' && status !== 'skip')
    .map((check) => {
      if (check.status === 'error') return `${check.name} could not run (${check.detail})`;
      const count =
        check.kind === 'tests' && check.total > 0
          ? `${check.failed} of ${check.total} failed`
          : countOf(check.errors);
      const named = namesOf(evaluation.diagnostics.filter((diagnostic) => diagnostic.check === check.name));
      return named === ''
        ? `${check.name}: ${count} (${check.detail})`
        : `${check.name}: ${count} (${named})`;
    });
  if (evaluation.missing_tests.length > 0) {
    parts.push(
      `${evaluation.missing_tests.length} baseline tests did not run (${evaluation.missing_tests.slice(0, NAMED).join(', ')})`,
    );
  }
  return parts.length === 0 ? '' : `Still red: ${parts.join('; ')}.`;
}

function refusalOf(attempts: readonly Attempt[]): string {
  const refused = attempts.findLast(
    ({ accepted, evaluation }) => !accepted && evaluation.tampering,
  )?.evaluation;
  if (refused !== undefined) return `Refused: ${refused.tampering![0]!.detail}`;
  const tampering = attempts.flatMap((attempt) => attempt.tampering);
  if (tampering.length > 0) {
    const files = [...new Set(tampering.map(({ file }) => file).filter((file) => file !== ''))];
    const list =
      files.slice(0, NAMED).join(', ') + (files.length > NAMED ? ` and ${files.length - NAMED} more` : '');
    return `The actor changed what the verdict rests on (${list}); it was put back before scoring.`;
  }
  const last = attempts.at(-1);
  if (last === undefined || last.accepted || last.changes.files.length > 0) return '';
  return last.trajectory.outcome === 'claimed_done'
    ? 'The actor said it was done, but it changed nothing.'
    : 'The last attempt changed nothing.';
}

function countOf(errors: number): string {
  return errors === 1 ? '1 error' : `${errors} errors`;
}

function namesOf(diagnostics: readonly Diagnostic[]): string {
  const names = diagnostics.map(({ rule, file, line, message }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}`;
    return [place, rule ?? message.split('\n')[0]!.slice(0, 100)].filter((part) => part !== '').join(' ');
  });
  const unique = [...new Set(names)];
  return unique.slice(0, NAMED).join(', ') + (unique.length > NAMED ? ', …' : '');
}
