import { describe, expect, it } from 'vitest';
import { assignCredit } from '../../../src/agents/reflectors/credit.ts';
import { gatherEvidence } from '../../../src/agents/reflectors/evidence.ts';
import { isTestFile } from '../../../src/prompts/phrases.ts';
import type { Scenario } from './scenario.ts';
import { check, failure, inputOf } from './scenario.ts';

const gone = failure({ test_id: 'test/a.test.ts > a', rule: 'a' });
const evidenceOf = (scenario: Scenario): ReturnType<typeof gatherEvidence> =>
  gatherEvidence(inputOf(scenario));

describe('gatherEvidence', () => {
  const tests = (status: 'passed' | 'skipped'): Scenario['evaluation'] => ({
    tests: [{ id: 'test/a.test.ts > a', name: 'a', status }],
  });
  const table: [string, Scenario, boolean][] = [
    ['the test passes', { evaluation: tests('passed') }, true],
    ['the test is skipped', { evaluation: tests('skipped') }, false],
    [
      'the test is no longer reported',
      { evaluation: { tests: [{ id: 'x', name: 'x', status: 'passed' }] } },
      false,
    ],
    ['the check cannot run', { evaluation: { checks: [check({ status: 'error' })] } }, false],
    [
      'a syntax error prevents loading',
      { after: [failure({ type: 'syntax_error', check: 'types' })] },
      false,
    ],
    ['the checks report no test names', {}, false],
  ];
  it.each(table)(
    'counts an absent failure as fixed only if its test or check ran: %s',
    (_, scenario, isFixed) => {
      const { fixed, unseen } = evidenceOf({ before: [gone], after: [], ...scenario });
      expect([fixed.length, unseen.length]).toEqual(isFixed ? [1, 0] : [0, 1]);
    },
  );

  it('sorts failures by type, new ones first', () => {
    const old = failure({ rule: 'old' });
    const fresh = failure({ rule: 'new' });
    const types = failure({ type: 'type_error', check: 'types', rule: 'TS1' });
    const lint = failure({ type: 'lint_error', check: 'lint', rule: 'semi' });
    const { failures } = evidenceOf({ before: [old], after: [lint, old, fresh, types] });
    expect(failures.map(({ rule }) => rule)).toEqual(['TS1', 'new', 'old', 'semi']);
  });

  it('takes the changed files from the patch, not from the actor', () => {
    const said = {
      type: 'code_modification',
      description: 'Changed src/a.ts',
      file_path: 'src/a.ts',
    } as const;
    const evidence = evidenceOf({ edits: {}, actions: [said] });
    expect(evidence.changed).toEqual([]);
    expect(assignCredit(evidence)).toEqual({ indices: [], ground: 'no_edit' });
  });

  it('treats a failure on another line as the same failure', () => {
    const { same, fresh } = evidenceOf({ before: [failure({ line: 8 })], after: [failure({ line: 80 })] });
    expect([same.length, fresh.length]).toEqual([1, 0]);
  });
});

describe('isTestFile', () => {
  it.each([
    'test/a.ts',
    'src/__tests__/a.ts',
    'a.test.ts',
    'src/a.spec.mjs',
    'packages/x/tests/a.js',
    'test-a.js',
  ])('recognises %s', (file) => {
    expect(isTestFile(file)).toBe(true);
  });
  it.each(['src/a.ts', 'src/latest.ts', 'src/contest/a.ts', 'src/testing.ts', 'lib/spectrum.js'])(
    'treats %s as source',
    (file) => {
      expect(isTestFile(file)).toBe(false);
    },
  );
});
