import { describe, expect, it } from 'vitest';
import { selectWindow } from '../../src/loop/window.ts';
import type { Diagnostic, FailureCategory, Reflection } from '../../src/schema/generated.ts';
import { failure, selfReflection } from '../support/scripted.ts';

interface About {
  readonly failures?: readonly number[];
  readonly files?: readonly string[];
  readonly category?: FailureCategory;
}

function reflection(
  iteration: number,
  { failures = [], files = [], category = 'other' }: About = {},
): Reflection {
  const self = selfReflection(iteration);
  return {
    iteration,
    actor_output: { files_modified: files },
    evaluator_output: { errors: failures.map(failure) },
    self_reflection: {
      ...self,
      credit_assignment: { ...self.credit_assignment, failure_category: category },
    },
  } as unknown as Reflection;
}

const NOW: readonly Diagnostic[] = [
  { ...failure(1), file: 'src/a.ts', frames: [{ file: 'src/deep.ts', line: 1 }] },
  failure(2),
];

function chosen(
  reflections: readonly Reflection[],
  omega: number,
  over: { maxTokens?: number; policy?: 'fifo' } = {},
): number[] {
  const request = { omega, policy: 'relevance_weighted', maxTokens: 4000, failures: NOW, ...over } as const;
  return selectWindow(reflections, request).map(({ iteration }) => iteration);
}

describe('the relevance-weighted window', () => {
  it.each<[string, About, About]>([
    ['both failures before one', { failures: [1, 2] }, { failures: [1] }],
    ['a failure before a file', { failures: [1] }, { files: ['src/a.ts'] }],
    [
      'a failing file before the category',
      { files: ['src/a.ts', 'src/deep.ts'] },
      { category: 'logic_error' },
    ],
    ['a frame of the failure before nothing', { files: ['src/deep.ts'], category: 'logic_error' }, {}],
  ])('sorts %s, regardless of age', (_, better, worse) => {
    const reflections = [
      reflection(0, better),
      reflection(1, worse),
      reflection(2, { category: 'logic_error' }),
    ];
    expect(chosen(reflections, 1)).toEqual([0]);
    expect(chosen([reflection(0, worse), reflection(1, better)], 1)).toEqual([1]);
  });

  it('sorts the newest first among equals', () => {
    expect(chosen([reflection(0), reflection(1), reflection(2)], 2)).toEqual([2, 1]);
  });

  it('respects Ω and the token budget, but always selects the most relevant', () => {
    const reflections = [
      reflection(0, { failures: [1, 2] }),
      reflection(1, { failures: [1] }),
      reflection(2),
    ];
    expect(chosen(reflections, 3)).toEqual([0, 1, 2]);
    expect(chosen(reflections, 3, { maxTokens: 10 })).toEqual([0]);
  });

  it('does not affect other policies', () => {
    const reflections = [reflection(0, { failures: [1, 2] }), reflection(1), reflection(2)];
    expect(chosen(reflections, 2, { policy: 'fifo' })).toEqual([1, 2]);
  });

  it('selects without failures', () => {
    const request = { omega: 1, policy: 'relevance_weighted', maxTokens: 4000 } as const;
    expect(selectWindow([reflection(0), reflection(1)], request).map(({ iteration }) => iteration)).toEqual([
      1,
    ]);
    expect(selectWindow([], request)).toEqual([]);
  });
});
