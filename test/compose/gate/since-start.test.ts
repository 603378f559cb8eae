/** What a session of another agent teaches: its changes since the start, compared with the start. */
import { expect, it } from 'vitest';
import { sinceStart } from '../../../src/compose/gate/since-start.ts';
import { lessonClaimsOf } from '../../../src/prompts/lesson-claims.ts';
import { compareFailures } from '../../../src/schema/compare-failures.ts';
import type { Diagnostic, Evaluation } from '../../../src/schema/generated.ts';
import { failure, inputOf } from '../../agents/reflectors/scenario.ts';

const sums = failure({ rule: 'sums', test_id: 'sums', fingerprint: 'sums' });
const rounds = failure({ rule: 'rounds', test_id: 'rounds', fingerprint: 'rounds' });
const lint = failure({ type: 'lint_error', rule: 'no-var', fingerprint: 'no-var', check: 'lint' });

const TESTS = ['sums', 'rounds'];

function evaluated(diagnostics: readonly Diagnostic[]): Evaluation {
  const checks = (['tests', 'lint'] as const).map((name) => ({
    ...{ name, kind: name, status: diagnostics.some(({ check }) => check === name) ? 'fail' : 'pass' },
  }));
  const { evaluation } = inputOf({ after: diagnostics, checks: checks as never });
  const red = new Set(diagnostics.map(({ test_id: id }) => id));
  const tests = TESTS.map((id) => ({ id, name: id, status: red.has(id) ? 'failed' : 'passed' }) as const);
  return { ...evaluation, tests };
}

/** Kinds of the lessons of a session that changed one line since its start. */
function taught(start: readonly Diagnostic[], now: readonly Diagnostic[], held = now): string[] {
  const judgement = {
    ...{ baseline: evaluated(start), evaluation: evaluated(now) },
    decision: { failures: held },
  };
  const place = { within: [], above: '', below: '', nth: 1, of: 1, repeated: false };
  const input = { ...inputOf(), ...sinceStart(judgement as never), place, ranBy: 'any' };
  return lessonClaimsOf(input).map(
    ({ kind, failures }) => `${kind} ${failures!.map(({ name }) => name).join()}`,
  );
}

it('an edit that makes a test pass which was red at the start worked, in whichever check', () => {
  expect(taught([sums], [])).toEqual(['edit_works the test "sums"']);
});

it('an edit did not fix a test that was red at the start and is', () => {
  expect(taught([sums], [sums])).toEqual(['edit_insufficient the test "sums"']);
});

it('a test that an earlier check of the session found red, and the start green, teaches nothing', () => {
  expect(taught([], [])).toEqual([]);
  // The edit itself broke it.
  expect(taught([], [sums])).toEqual([]);
});

it('a failure of the start that does not hold the agent is not fixed', () => {
  expect(taught([sums, lint], [sums, lint], [sums])).toEqual(['edit_insufficient the test "sums"']);
  const judgement = {
    ...{ baseline: evaluated([rounds, lint]), evaluation: evaluated([sums, lint]) },
    decision: { failures: [sums] },
  };
  const { previous, evaluation } = sinceStart(judgement as never);
  const { fixed, fresh } = compareFailures(previous, evaluation);
  expect([fixed, fresh].map((all) => all.map(({ rule }) => rule))).toEqual([['rounds'], ['sums']]);
});
