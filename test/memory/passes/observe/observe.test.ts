import { describe, expect, it } from 'vitest';
import { clampImportance, scoreImportance } from '../../../../src/memory/passes/observe/importance.ts';
import { effectsOf } from '../../../../src/memory/lessons/effects.ts';
import { observe } from '../../../../src/memory/passes/observe/rules.ts';
import type { AttemptOutcome } from '../../../../src/ports/memory.ts';
import type { Lesson } from '../../../../src/schema/generated.ts';
import { validate } from '../../../../src/schema/validate.ts';
import { attempt, failingTest } from '../../../support/memory.ts';

const at = '2026-01-01T00:00:00.000Z';

describe('scoreImportance', () => {
  it.each([
    [{ rewardChange: 0, isNewFailure: false, flipped: false }, 0],
    [{ rewardChange: 0, isNewFailure: true, flipped: false }, 0.3],
    [{ rewardChange: -0.5, isNewFailure: false, flipped: false }, 0.3],
    [{ rewardChange: 0.5, isNewFailure: false, flipped: true }, 0.7],
    [{ rewardChange: 1, isNewFailure: true, flipped: true }, 1],
  ])('scores %j as %d', (stakes, importance) => {
    expect(clampImportance(scoreImportance(stakes))).toBe(importance);
  });

  it('is clamped to 0..1 for any scorer', () => {
    const score = (value: number) => observe(attempt(), { earlier: [], at, score: () => value }).importance;
    expect([score(7), score(-7), score(NaN), score(0.25)]).toEqual([1, 0, 0, 0.25]);
  });
});

describe('observe', () => {
  it('records fixed, remaining and new failures, and the change of the reward', () => {
    const seen = attempt({ before: [1, 2], after: [2, 3], files: ['src/a.js'] });
    const observation = observe(seen, { earlier: [], at });
    const [one, two, three] = [1, 2, 3].map((number) => failingTest(number).fingerprint);
    expect(observation).toMatchObject({
      ...{ seq: 1, iteration: 0, passed: false, flipped: false, reward_change: 0, files: ['src/a.js'] },
      ...{ fixed: [one], same: [two], fresh: [three] },
    });
    expect(validate('observation', observation).ok).toBe(true);
  });

  it('records a flip where a failing tree passes', () => {
    expect(observe(attempt({ before: [1], after: [] }), { earlier: [], at })).toMatchObject({
      ...{ passed: true, flipped: true, reward_change: 0.25 },
    });
  });

  it('leaves out checks without a command, such as held-out tests', () => {
    const seen = attempt();
    const [check] = seen.evaluation.checks;
    const holdout = { ...check!, name: 'holdout', command: '' };
    const evaluation = { ...seen.evaluation, checks: [...seen.evaluation.checks, holdout] };
    const { commands } = observe({ ...seen, evaluation }, { earlier: [], at });
    expect(commands).toEqual(observe(seen, { earlier: [], at }).commands);
    expect(commands).toHaveLength(seen.evaluation.checks.length);
  });

  it.each([{ status: 'error' }, { status: 'skip' }, { status: 'fail', unfinished: true }] as const)(
    'records no command of a check that did not run it: %j',
    (over) => {
      const seen = attempt();
      const [check] = seen.evaluation.checks;
      const evaluation = { ...seen.evaluation, checks: [{ ...check!, ...over }] };
      expect(observe({ ...seen, evaluation }, { earlier: [], at }).commands).toEqual([]);
      const claim = { kind: 'command_fact', check: check!.name, command: 'yarn tsd' };
      const lesson = { id: 'one', claim, source: {} } as Lesson;
      const outcome = { ...seen, evaluation, changes: { files: [], patch: '' } } as unknown as AttemptOutcome;
      expect(effectsOf(outcome, [lesson])).toEqual([]);
      expect(effectsOf({ ...outcome, evaluation: seen.evaluation }, [lesson])).toHaveLength(1);
    },
  );

  it('records the command of a whole check, not of a run that a change narrowed', () => {
    const seen = attempt();
    const [check] = seen.evaluation.checks;
    const narrowed = {
      ...seen.evaluation,
      checks: [{ ...check!, command: 'vitest run test/a.test.ts', reused: 2 }],
    };
    const [before] = seen.previous.checks;
    expect(observe({ ...seen, evaluation: narrowed }, { earlier: [], at }).commands).toEqual([
      { check: before!.name, command: before!.command },
    ]);
    const twice = { ...seen, evaluation: narrowed, previous: narrowed };
    expect(observe(twice, { earlier: [], at }).commands).toEqual([]);
  });

  it('lowers the importance of a known failure', () => {
    const first = observe(attempt({ iteration: 1 }), { earlier: [], at });
    const second = observe(attempt({ iteration: 2 }), { earlier: [first], at });
    expect(first.importance).toBeGreaterThan(second.importance);
    expect(second.seq).toBe(2);
  });

  it('bounds texts and lists of any attempt', () => {
    const many = Array.from({ length: 300 }, (_, index) => index);
    const seen = attempt({
      after: many,
      total: 400,
      task: 'x'.repeat(9000),
      files: many.map((n) => `src/${n}.js`),
    });
    const observation = observe(seen, { earlier: [], at });
    expect(validate('observation', observation).ok).toBe(true);
    expect(JSON.stringify(observation).length).toBeLessThan(20_000);
  });
});
