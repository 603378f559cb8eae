import { expect, it } from 'vitest';
import { compareFailures } from '../../src/schema/compare-failures.ts';
import type { Diagnostic, TestCase } from '../../src/schema/generated.ts';
import { evaluation, failure } from '../support/scripted.ts';

const id = 'test/a.test.js > adds';
const failing: Diagnostic = { ...failure(1), test_id: id, file: 'test/a.test.js' };
const other: Diagnostic = { ...failure(2), test_id: 'test/a.test.js > subtracts' };
const listed = (status: TestCase['status']): TestCase[] => [{ id, name: 'adds', status }];
const before = evaluation(2, 4, { diagnostics: [failing, other] });

it.each<[string, Parameters<typeof evaluation>[2], boolean]>([
  ['passed', { diagnostics: [other], tests: listed('passed') }, true],
  ['was skipped', { diagnostics: [other], tests: listed('skipped') }, false],
  [
    'is not listed, because its run timed out',
    { diagnostics: [{ ...other, type: 'timeout' }], tests: [] },
    false,
  ],
  [
    'is not listed among the tests that ran',
    { diagnostics: [other], tests: [{ id: 'x', name: 'x', status: 'passed' }] },
    false,
  ],
])('counts a test that %s as fixed only if it passed', (_, over, isFixed) => {
  const { fixed, unseen } = compareFailures(before, evaluation(3, 4, over));
  expect([fixed, unseen]).toEqual(isFixed ? [[failing], []] : [[], [failing]]);
});

it('counts a test that timed out itself as failing differently', () => {
  const late: Diagnostic = { ...failing, type: 'timeout', fingerprint: 'ffffffffffff' };
  const { fixed, moved } = compareFailures(before, evaluation(2, 4, { diagnostics: [late, other] }));
  expect([fixed, moved]).toEqual([[], [late]]);
});

it('does not call a failure new where its test had no result before', () => {
  const late: Diagnostic = { ...failure(5), type: 'timeout', file: 'test/a.test.js' };
  const after = evaluation(3, 4, { diagnostics: [failing], tests: listed('failed') });
  const cases: [Parameters<typeof evaluation>[2], 'fresh' | 'revealed'][] = [
    [{ diagnostics: [other], tests: listed('passed') }, 'fresh'],
    [{ diagnostics: [other], tests: listed('skipped') }, 'revealed'],
    [{ diagnostics: [late], tests: [] }, 'revealed'],
    [{ diagnostics: [late], tests: [{ id: 'x', name: 'x', status: 'passed' }] }, 'revealed'],
    [{ diagnostics: [other], tests: [] }, 'fresh'],
  ];
  for (const [over, state] of cases) {
    const { fresh, revealed } = compareFailures(evaluation(2, 4, over), after);
    expect([fresh, revealed]).toEqual(state === 'fresh' ? [[failing], []] : [[], [failing]]);
  }
});

it('calls a file new that does not run any more as a whole', () => {
  const crash: Diagnostic = {
    ...failure(6),
    type: 'runtime_error',
    rule: '(file)',
    test_id: 'a.test.js > (file)',
  };
  const after = evaluation(0, 4, { diagnostics: [crash], tests: [] });
  expect(
    compareFailures(evaluation(2, 4, { diagnostics: [other], tests: listed('passed') }), after).fresh,
  ).toEqual([crash]);
});

it('does not call a type error new that a syntax error hid', () => {
  const wrong: Diagnostic = { ...failure(3), type: 'type_error', check: 'tests', file: 'src/a.ts' };
  const syntax: Diagnostic = { ...failure(4), type: 'syntax_error', check: 'tests', file: 'src/b.ts' };
  const after = evaluation(3, 4, { diagnostics: [wrong] });
  expect(compareFailures(evaluation(3, 4, { diagnostics: [syntax] }), after).revealed).toEqual([wrong]);
  expect(compareFailures(evaluation(3, 4, { diagnostics: [other] }), after).fresh).toEqual([wrong]);
});

it('does not count type errors as fixed while a syntax error hides them', () => {
  const wrong: Diagnostic = { ...failure(3), type: 'type_error', check: 'tests', file: 'src/a.ts' };
  const syntax: Diagnostic = { ...failure(4), type: 'syntax_error', check: 'tests', file: 'src/b.ts' };
  const start = evaluation(3, 4, { diagnostics: [wrong] });
  expect(compareFailures(start, evaluation(3, 4, { diagnostics: [syntax] })).fixed).toEqual([]);
  expect(compareFailures(start, evaluation(3, 4, { diagnostics: [other] })).fixed).toEqual([wrong]);
});

it('takes a rule with another message in the same line as changed, not as fixed and new', () => {
  const lint = { type: 'lint_error', check: 'lint', file: 'src/a.ts', line: 4 } as const;
  const four = { ...failure(1), ...lint, rule: 'complexity', message: 'a complexity of 4' };
  const five = { ...failure(2), ...lint, rule: 'complexity', message: 'a complexity of 5' };
  const other = { ...failure(3), ...lint, rule: 'eqeqeq' };
  const of = (...diagnostics: (typeof four)[]) => evaluation(4, 4, { diagnostics });
  expect(compareFailures(of(four), of(five))).toMatchObject({ fixed: [], fresh: [], moved: [five] });
  expect(compareFailures(of(four), of(other))).toMatchObject({ fresh: [other], moved: [] });
});

it('takes an error of types with another code in the same line as changed', () => {
  const type = { type: 'type_error', check: 'types', file: 'src/a.ts', line: 4 } as const;
  const misspelt: Diagnostic = { ...failure(1), ...type, rule: 'TS2551' };
  const absent: Diagnostic = { ...failure(2), ...type, rule: 'TS2339' };
  const of = (...diagnostics: Diagnostic[]) => evaluation(4, 4, { diagnostics });
  expect(compareFailures(of(misspelt), of(absent))).toMatchObject({
    ...{ fixed: [], fresh: [], moved: [absent] },
  });
  const elsewhere = { ...absent, line: 9 };
  expect(compareFailures(of(misspelt), of(elsewhere))).toMatchObject({ fresh: [elsewhere] });
});

it('counts the same error of a tool once for each place', () => {
  const at = (line: number): Diagnostic => ({
    ...failure(7),
    type: 'type_error',
    rule: 'TS2322',
    file: 'src/tax.ts',
    line,
    test_id: undefined,
  });
  const checks = (diagnostics: Diagnostic[]) => evaluation(1, 2, { diagnostics });
  const more = compareFailures(checks([at(14)]), checks([at(4), at(6), at(14)]));
  expect([more.same, more.fresh, more.fixed]).toEqual([[at(14)], [at(4), at(6)], []]);
  const fewer = compareFailures(checks([at(4), at(14)]), checks([at(15)]));
  expect([fewer.same, fewer.fixed, fewer.fresh]).toEqual([[at(15)], [at(4)], []]);
  const moved = compareFailures(checks([at(4), at(14)]), checks([at(9), at(19)]));
  expect([moved.same, moved.fixed, moved.fresh]).toEqual([[at(9), at(19)], [], []]);
});
