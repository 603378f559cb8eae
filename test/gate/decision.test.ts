import { describe, expect, it } from 'vitest';
import { decide, type Judged } from '../../src/gate/decision.ts';
import { renderBlock, renderRepeated } from '../../src/gate/message.ts';
import type { Criterion, Diagnostic, Evaluation, Tampering } from '../../src/schema/generated.ts';
import { evaluation } from '../support/scripted.ts';
import { temporaryFolder } from '../support/repositories.ts';

const failure = (id: string, fingerprint: string): Diagnostic => ({
  type: 'test_failure',
  severity: 'error',
  check: 'tests',
  test_id: id,
  rule: id,
  file: 'test/a.test.js',
  line: 3,
  message: '2 == 3',
  expected: '3',
  received: '2',
  fingerprint,
});

/** A tree in which these of the tests `a`, `b` and `c` fail. */
function tree(...failed: string[]): Evaluation {
  const tests = ['a', 'b', 'c'].map((id) => ({
    id,
    name: id,
    file: 'test/a.test.js',
    status: failed.includes(id) ? ('failed' as const) : ('passed' as const),
  }));
  const diagnostics = failed.map((id) => failure(id, `f-${id}`));
  return { ...evaluation(3 - failed.length, 3), tests, diagnostics, missing_tests: [] };
}

const deleted: Tampering = {
  kind: 'protected_deleted',
  file: 'test/a.test.js',
  detail: 'test/a.test.js was deleted, but the verdict depends on it; it was restored.',
};
const met: Criterion = {
  id: 'C1',
  text: '`make demo` succeeds',
  source: 'accept',
  red_before: true,
  green_after: true,
  tests: [],
};

function judged(parts: Partial<Judged>): Judged {
  const baseline = parts.baseline ?? tree('a');
  const standing = {
    baseline,
    evaluation: { ...baseline, passed: true },
    tampering: [],
    criteria: [],
    earlier: [],
    isAllGreen: false,
  };
  return { ...standing, ...parts };
}

describe('decide', () => {
  it.each<[string, Partial<Judged>, boolean]>([
    ['lets an agent stop that left what was red', {}, true],
    ['lets an agent stop that fixed everything', { evaluation: { ...tree(), passed: true } }, true],
    ['blocks for what was red if all must be green', { isAllGreen: true }, false],
    ['blocks for a new failure', { evaluation: { ...tree('a', 'b'), passed: false } }, false],
    [
      'blocks for one new failure beside one that is fixed',
      { evaluation: { ...tree('b'), passed: false } },
      false,
    ],
    [
      'blocks for a deleted test although all else is green',
      { evaluation: { ...tree(), passed: true }, tampering: [deleted] },
      false,
    ],
    [
      'blocks for a test that does not run',
      { evaluation: { ...tree(), missing_tests: ['c'], passed: false } },
      false,
    ],
    ['blocks for a criterion that is not met', { criteria: [{ ...met, green_after: false }] }, false],
    ['lets an agent stop that met the criterion', { criteria: [met] }, true],
  ])('%s', (_, parts, passed) => {
    expect(decide(judged(parts)).passed).toBe(passed);
  });

  it('names new failures alone, and with a criterion also those in its files', () => {
    const now = { ...tree('a', 'b'), passed: false };
    const named = (parts: Partial<Judged>): (string | undefined)[] =>
      decide(judged({ evaluation: now, ...parts })).failures.map(({ test_id: id }) => id);
    expect(named({})).toEqual(['b']);
    expect(named({ isAllGreen: true })).toEqual(['b', 'a']);
    expect(named({ criteria: [{ ...met, green_after: false, tests: ['test/a.test.js'] }] })).toEqual([
      'b',
      'a',
    ]);
  });

  it('does not say that a protected file was restored, since the gate leaves the tree alone', () => {
    const { forbidden } = decide(judged({ tampering: [deleted] }));
    expect(forbidden).toEqual([expect.stringContaining('Put it back')]);
    expect(forbidden.join()).not.toContain('restored');
  });

  it('blocks if a test that was red fails at an assertion that held', () => {
    const { passed, failures } = decide(judged({ earlier: ['a'] }));
    expect({ passed, ids: failures.map(({ test_id: id }) => id) }).toEqual({ passed: false, ids: ['a'] });
    expect(decide(judged({})).passed).toBe(true);
  });

  it('says something for every block', () => {
    const { others } = decide(judged({ baseline: tree(), evaluation: { ...tree(), passed: false } }));
    expect(others).toHaveLength(1);
  });
});

describe('the text of a block', () => {
  const repository = temporaryFolder();
  const block = {
    decision: decide(
      judged({
        evaluation: { ...tree('b'), missing_tests: ['c'], passed: false },
        criteria: [{ ...met, green_after: false }],
      }),
    ),
    next: 'Print the result of `b`.',
    before: 'Compare the two branches.',
    delta: { fixed: ['x'], same: [], new: ['f-b'] },
    number: 2,
    limit: 5,
    repository,
  };

  it('names what is red with its values, what the last block said, and one next step', () => {
    expect(renderBlock(block)).toMatchSnapshot();
    expect(
      renderBlock({ ...block, decision: decide(judged({ tampering: [deleted] })), before: '', number: 0 }),
    ).toMatchSnapshot();
  });

  it('says no sentence twice', () => {
    const asBefore = renderBlock({ ...block, before: block.next });
    expect(asBefore.split(block.next)).toHaveLength(2);
    expect(asBefore).toContain('Next step, as the last time: Print');
    expect(asBefore).toContain('Since the last time: 1 failure gone');
    const detail =
      '"a" of test/a.test.js passes with a wrong expected value, so it cannot fail with this change.';
    const canary: Tampering = { kind: 'canary_passed', file: 'test/a.test.js', detail };
    const red = {
      ...failure('a', 'f'),
      test_id: undefined,
      rule: 'canary_passed',
      message: detail,
    } as Diagnostic;
    const decision = { ...decide(judged({ tampering: [canary] })), failures: [red] };
    const next = `Do what the check integrity asks for: ${detail.slice(0, 60)} ….`;
    expect(renderBlock({ ...block, decision, next }).split(detail.slice(0, 50))).toHaveLength(2);
    const only = { ...decision, forbidden: [] };
    expect(renderBlock({ ...block, decision: only, next }).split(detail.slice(0, 50))).toHaveLength(2);
  });

  it('is repeated for a tree that has not changed, as often as needed', () => {
    const once = renderRepeated(renderBlock(block), { number: 3, limit: 5, repository });
    expect(once).toMatch(
      /^ralph gate: the work is not done \(told 3 of at most 5 times\)\.\n\nNo file has changed/,
    );
    expect(once).toContain('expected: 3');
    const twice = renderRepeated(once, { number: 4, limit: 5, repository });
    expect(twice.match(/No file has changed/g)).toHaveLength(1);
  });

  it('is bounded, whatever the tests print', () => {
    const long = { ...failure('b', 'f'), message: 'x\u0000'.repeat(50_000), received: 'y'.repeat(50_000) };
    const failures = Array.from({ length: 200 }, () => long);
    const text = renderBlock({ ...block, decision: { ...block.decision, failures } });
    expect(text.length).toBeLessThan(9000);
    expect(text).toMatch(/and \d+ more/);
    expect(text).not.toContain('\u0000');
  });
});
