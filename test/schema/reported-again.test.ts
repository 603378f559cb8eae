import { expect, it, test } from 'vitest';
import { isBetter } from '../../src/loop/attempt.ts';
import { countChanges, failureMatrix } from '../../src/report/failure-matrix.ts';
import { compareFailures, deltaOf } from '../../src/schema/compare-failures.ts';
import type { CheckResult, Diagnostic, Evaluation, Tampering } from '../../src/schema/generated.ts';
import { evaluation, failure } from '../support/scripted.ts';

const id = 'test/pay.test.js > due';
const ofTest: Diagnostic = { ...failure(1), test_id: id, file: 'test/pay.test.js' };
const wholeFile: Diagnostic = {
  ...{ type: 'runtime_error', severity: 'error', check: 'tests', message: 'SyntaxError: position 1' },
  ...{ rule: '(file)', test_id: 'test/pay.test.js > (file)', file: 'src/pay.js', fingerprint: 'file' },
};
const printed = (number: number, line: number, message = `error ${number}`): Diagnostic => ({
  ...{ type: 'other', severity: 'error', check: 'tests', message },
  ...{ fingerprint: `f${number}`, file: 'src/x.mjs', line },
});
const typeError = (number: number, file: string): Diagnostic => ({
  ...{ type: 'type_error', severity: 'error', check: 'tests', message: `wrong ${number}` },
  ...{ rule: 'TS2322', fingerprint: `${file}${number}`, file, line: number },
});

/** An evaluation of one check that fails. */
function failing(
  diagnostics: readonly Diagnostic[],
  check: Partial<CheckResult> = {},
  over: Partial<Evaluation> = {},
): Evaluation {
  const { checks, ...rest } = evaluation(0, 1, { diagnostics: [...diagnostics], ...over });
  return { ...rest, checks: [{ ...checks[0]!, ...check }] };
}

const COMMAND = { kind: 'command', tool: 'command', total: 0, exit_code: 1 } as const;
const refused = (kind: Tampering['kind'], file: string): Partial<Evaluation> => ({
  tampering: [{ kind, file, detail: 'refused' }],
});

const table: [string, readonly [Evaluation, Evaluation], boolean][] = [
  [
    'of a test whose build fails',
    [failing([ofTest]), failing([typeError(1, 'src/pay.ts')], { unfinished: true })],
    false,
  ],
  ['of a test without any list of tests', [failing([ofTest]), failing([failure(2)])], false],
  [
    'of a command that a crash ended',
    [failing([printed(1, 1)], COMMAND), failing([printed(3, 9)], { ...COMMAND, unfinished: true })],
    false,
  ],
  [
    'of a command that ended with another code',
    [
      failing([printed(1, 1), printed(2, 2)], COMMAND),
      failing([printed(2, 2)], { ...COMMAND, exit_code: 9 }),
    ],
    false,
  ],
  [
    'of a command that says nothing of before again',
    [failing([printed(1, 1)], COMMAND), failing([printed(3, 9)], COMMAND)],
    false,
  ],
  [
    'of a command that says the rest again',
    [failing([printed(1, 1), printed(2, 2)], COMMAND), failing([printed(2, 2)], COMMAND)],
    true,
  ],
  [
    'of a command that ended in the middle before, and not now',
    [failing([printed(1, 1)], { ...COMMAND, unfinished: true }), failing([printed(3, 9)], COMMAND)],
    true,
  ],
  [
    'of a tool that was told to be quiet',
    [
      failing([typeError(1, 'src/a.ts'), typeError(2, 'src/b.ts')]),
      failing([typeError(2, 'src/b.ts')], {}, refused('suppression_added', 'src/a.ts')),
    ],
    false,
  ],
  [
    'of a tool that was told to be quiet in another file',
    [
      failing([typeError(1, 'src/a.ts'), typeError(2, 'src/b.ts')]),
      failing([typeError(2, 'src/b.ts')], {}, refused('suppression_added', 'src/c.ts')),
    ],
    true,
  ],
  [
    'of a file that runs now, with a test that fails',
    [
      failing([wholeFile]),
      failing([ofTest], {}, { tests: [{ id, name: 'due', status: 'failed', file: 'test/pay.test.js' }] }),
    ],
    true,
  ],
  [
    'of a file of which no test has a result',
    [
      failing([wholeFile]),
      failing([failure(2)], {}, { tests: [{ id: 'test/b.test.js > b', name: 'b', status: 'passed' }] }),
    ],
    false,
  ],
  [
    'of a test that a source looks for',
    [
      failing([ofTest, failure(2)]),
      failing(
        [failure(2)],
        {},
        {
          ...refused('test_aware', 'src/a.js'),
          tests: [{ id, name: 'due', status: 'passed' }],
        },
      ),
    ],
    false,
  ],
];

test.each(table)('the failure that is gone %s: fixed only if it is shown', (_, [before, after], isFixed) => {
  const { fixed, unseen } = compareFailures(before, after);
  const [first] = before.diagnostics;
  expect([fixed, unseen.includes(first!)]).toEqual(isFixed ? [[first], false] : [[], true]);
  const counts = countChanges(before, [{ iteration: 1, startedFrom: 0, evaluation: after }], 1);
  expect(counts.fixed).toBe(fixed.length);
  expect(deltaOf(after, before).fixed).toHaveLength(fixed.length);
});

it('takes the errors of a renamed file as those of before', () => {
  const [before, after] = ['src/a.ts', 'src/e.ts'].map((file) =>
    failing([typeError(2, file), typeError(4, file)]),
  ) as [Evaluation, Evaluation];
  const { fixed, unseen, moved, fresh } = compareFailures(before, after);
  expect([fixed, unseen, fresh, moved]).toEqual([[], [], [], after.diagnostics]);
  const rows = failureMatrix(before, [{ iteration: 1, startedFrom: 0, evaluation: after }]);
  expect(rows.map(({ changes }) => changes.get(1))).toEqual([undefined, undefined, 'same', 'same']);
  // An error of that kind that stays in the first file is no renamed file.
  const both = failing([typeError(2, 'src/a.ts'), typeError(4, 'src/e.ts')]);
  expect(compareFailures(before, both).fresh).toEqual([typeError(4, 'src/e.ts')]);
});

it('takes another message at the same place as another failure of it', () => {
  const crash = (message: string): Diagnostic => ({
    ...{ type: 'runtime_error', severity: 'error', check: 'tests', message },
    ...{ fingerprint: message, file: 'src/job.js', line: 8 },
  });
  for (const [one, other] of [
    [crash('late crash of ready'), crash('late crash of Ready')],
    [printed(1, 1, 'a is 1'), printed(2, 1, 'a is 2')],
  ] as const) {
    const { moved, fresh, unseen, fixed } = compareFailures(failing([one]), failing([other]));
    expect([moved, fresh, unseen, fixed]).toEqual([[other], [], [], []]);
  }
});

it('never takes a tree as better for failures that may be hidden', () => {
  const one = (diagnostics: Diagnostic[], check: Partial<CheckResult> = {}): Evaluation =>
    failing(
      diagnostics.map((it) => ({ ...it, check: 'one' })),
      { ...COMMAND, name: 'one', ...check },
    );
  const many = one([printed(1, 1), printed(2, 2)]);
  const hidden = one([printed(3, 9)], { unfinished: true });
  const fewer = one([printed(2, 2)]);
  expect([isBetter(hidden, many), isBetter(fewer, many)]).toEqual([false, true]);
});

it('never takes a tree as better in which a test that passed did not run', () => {
  const base = failing([printed(1, 1), printed(2, 2)]);
  const tests = [{ id: 'adds', name: 'adds', status: 'passed' as const }];
  const without = { ...failing([]), reward: 1, tests: [], missing_tests: ['adds'] };
  expect(isBetter(without, { ...base, tests })).toBe(false);
  expect(isBetter({ ...without, tests, missing_tests: [] }, { ...base, tests })).toBe(true);
  // It failed before.
  const red = [{ ...tests[0]!, status: 'failed' as const }];
  expect(isBetter(without, { ...base, tests: red })).toBe(true);
});
