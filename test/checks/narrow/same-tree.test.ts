import { describe, expect, it } from 'vitest';
import { reportsBefore } from '../../../src/checks/narrow/same-tree.ts';
import { createTestIds } from '../../../src/checks/results/test-ids.ts';
import type { EvaluationRequest } from '../../../src/ports/evaluation.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import type { Evaluation } from '../../../src/schema/generated.ts';

const PLANS = ['tests', 'lint'].map((name) => ({ name, kind: name }) as CheckPlan);
const IDS = createTestIds(PLANS.map((plan) => ({ plan })));

function evaluationWith(tests: string, lint: string, more: object = {}): Evaluation {
  const checkOf = (name: string, status: string): object => ({
    name,
    status,
    weight: 0.5,
    score: 0,
    duration_ms: 900,
    detail: `${name} ran.`,
  });
  return {
    checks: [checkOf('tests', tests), checkOf('lint', lint)],
    diagnostics: [{ check: 'tests', message: 'red' }, { check: 'lint' }],
    tests: [
      { id: 'a > b', status: 'failed' },
      { id: 'lint: c', status: 'passed' },
    ],
    ...more,
  } as unknown as Evaluation;
}

const again = (
  previous: Evaluation,
  more: Partial<EvaluationRequest> = {},
): ReturnType<typeof reportsBefore> =>
  reportsBefore(
    PLANS,
    { isSameTree: true, confirm: false, previous, ...more } as EvaluationRequest,
    IDS.ownedBy,
  );

describe('reportsBefore', () => {
  it('takes over every check of a failed evaluation', () => {
    const [tests, lint] = again(evaluationWith('fail', 'pass'))!;
    expect(tests).toEqual({
      name: 'tests',
      status: 'fail',
      duration_ms: 0,
      reused: 1,
      detail: 'tests ran. It did not run again, since no file was changed.',
      diagnostics: [{ check: 'tests', message: 'red' }],
      tests: [{ id: 'a > b', status: 'failed' }],
    });
    expect(lint).toMatchObject({ status: 'pass', reused: 1, diagnostics: [{ check: 'lint' }] });
    const later = evaluationWith('fail', 'pass', { checks: [tests, lint] });
    expect(again(later)!.map(({ detail }) => detail)).toEqual([tests!.detail, lint!.detail]);
  });

  it.each([
    ['a green tree', evaluationWith('pass', 'pass'), {}],
    ['a check that did not run', evaluationWith('fail', 'error'), {}],
    ['a check that is not known', evaluationWith('fail', 'pass', { checks: [] }), {}],
    ['tampering', evaluationWith('fail', 'pass', { tampering: [{}] }), {}],
    ['a confirmation', evaluationWith('fail', 'pass'), { confirm: true }],
    ['a change', evaluationWith('fail', 'pass'), { isSameTree: false }],
  ])('lets the checks run for %s', (_, previous, more) => {
    expect(again(previous, more)).toBeUndefined();
  });
});
