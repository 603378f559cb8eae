import { describe, expect, it } from 'vitest';
import { AXES, armsOf, parseArm } from '../../../../bench/datasets/ablate/arms.ts';
import { planCost } from '../../../../bench/datasets/ablate/cost.ts';
import { renderPage } from '../../../../bench/datasets/ablate/page.ts';
import { createReport, renderReport } from '../../../../bench/datasets/ablate/report.ts';
import type { ArmResult } from '../../../../bench/datasets/ablate/run-arm.ts';

describe('arms', () => {
  it('are those of the axes and those of the user', () => {
    const arms = armsOf(['omega', 'memory'], [parseArm('mine=--actor react  --omega 2')]);
    expect(arms.map(({ name }) => name)).toEqual([
      'omega 1',
      'omega 3',
      'omega 5',
      'omega 10',
      'memory on',
      'memory off',
      'mine',
    ]);
    expect(arms.at(-1)!.flags).toEqual(['--actor', 'react', '--omega', '2']);
  });

  it.each([
    ['react', /--arm react: it must be NAME=FLAGS/],
    ['=--actor react', /it must be NAME=FLAGS/],
  ])('refuse %j', (text, message) => {
    expect(() => parseArm(text)).toThrow(message);
  });

  it('refuse a name twice', () => {
    expect(() => armsOf(['memory'], [parseArm('memory on=')])).toThrow(/"memory on" is there twice/);
  });
});

describe('planCost', () => {
  const arms = AXES.memory;
  const plan = (common: string[], totalUsd?: number) => planCost(arms, { common, problems: 10, totalUsd });

  it.each([
    [['--actor', 'search'], undefined, 0],
    [['--actor', 'react', '--model', 'a/b', '--replay', 'file'], undefined, 0],
    [['--actor', 'react', '--max-cost', '0.5'], undefined, 10],
    [['--actor', 'react', '--max-cost=0.5'], 4, 4],
    [['--actor', 'react'], 7, 7],
    [['--actor', 'search', '--model', 'a/b'], 7, 7],
    [[], 7, 7],
  ])('for %j with a total of %s is at most $%d', (common, total, most) => {
    const { mostUsd, text } = plan(common, total);
    expect(mostUsd).toBe(most);
    expect(text).toMatch(most === 0 ? /^20 runs; no arm asks a model/ : `at most $${most.toFixed(2)}`);
  });

  it('refuses a model without a limit of cost, even where only one arm asks it', () => {
    expect(() => plan(['--actor', 'react'])).toThrow(/20 runs of 2 arms may ask a model without a limit/);
    expect(() =>
      planCost([...arms, parseArm('model=--actor react')], {
        common: ['--actor', 'search'],
        problems: 10,
        totalUsd: undefined,
      }),
    ).toThrow(/10 runs of 1 arm may ask a model/);
  });
});

describe('report', () => {
  const result = (arm: string, task: string, over: Partial<ArmResult> = {}): ArmResult => ({
    arm,
    task_id: task,
    verified: true,
    right: true,
    rewards: [1],
    usage: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 0, cost_usd: 0.5 },
    seconds: 2,
    note: '',
    ...over,
  });
  const report = createReport(
    { file: 'p.jsonl', visible: 'full', common: ['--actor', 'search'], budget_seconds: 60 },
    {
      arms: AXES.memory,
      requested: 5,
      results: [
        result('memory on', 'a'),
        result('memory on', 'b', { rewards: [0.5, 0.5, 1] }),
        result('memory off', 'a', { right: false }),
        result('memory off', 'b', { right: false, verified: false, rewards: [0.2, 0.2], usage: null }),
      ],
    },
  );

  it('counts right results by number of attempts', () => {
    expect(report).toMatchObject({
      complete: false,
      arms: [
        { name: 'memory on', problems: 2, right: 2, attempts: 4, right_by_attempt: [1, 1, 2] },
        { name: 'memory off', problems: 2, verified: 1, right: 0, right_by_attempt: [0, 0, 0] },
      ],
    });
  });

  it('has intervals for each arm and against the first one', () => {
    const text = renderReport(report).join('\n');
    expect(text).toContain('stopped early');
    expect(text).toMatch(/^memory on +2 +2: 100\.0% \(34\.2–100\.0\) +- +2 /m);
    expect(text).toMatch(
      /^memory off +2 +0: 0\.0% \(0\.0–65\.8\) +−100\.0 \(−100\.0 to −7\.0\) +1 .*\$0\.50/m,
    );
  });

  it('is a page with a curve for each arm, in which names are escaped', () => {
    const page = renderPage({ ...report, arms: report.arms.map((arm) => ({ ...arm, name: '<b>x</b>' })) });
    expect(page).not.toContain('<b>');
    expect(page.match(/class="curve"/g)!.length).toBeGreaterThanOrEqual(2);
    expect(page).toMatch(/1: 50 %, 2: 50 %, 3: 100 %/);
  });
});
