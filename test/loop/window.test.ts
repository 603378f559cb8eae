import { describe, expect, it } from 'vitest';
import { omegaByDiversity, omegaFor, selectWindow } from '../../src/loop/window.ts';
import type { FailureCategory, Reflection } from '../../src/schema/generated.ts';
import { selfReflection } from '../support/scripted.ts';

function reflection(
  iteration: number,
  category: FailureCategory = 'logic_error',
  text = 'x'.repeat(400),
): Reflection {
  const self = selfReflection(iteration);
  const record = {
    iteration,
    self_reflection: {
      ...self,
      reflection_text: text,
      actionable_insights: [],
      credit_assignment: { ...self.credit_assignment, failure_category: category },
    },
  };
  return record as unknown as Reflection;
}

const numbers = (reflections: readonly Reflection[]): number[] =>
  reflections.map(({ iteration }) => iteration);

describe('selectWindow', () => {
  const ten = Array.from({ length: 11 }, (_, index) => reflection(index));
  const request = { omega: 3, policy: 'fifo', maxTokens: 100_000 } as const;

  it('keeps the newest Ω in chronological order, 10 after 9', () => {
    expect(numbers(selectWindow(ten, request))).toEqual([8, 9, 10]);
  });
  it('does not depend on the order it is given', () => {
    expect(numbers(selectWindow([...ten].reverse(), request))).toEqual([8, 9, 10]);
  });
  it('puts the newest first under the recency policy', () => {
    expect(numbers(selectWindow(ten, { ...request, policy: 'recency' }))).toEqual([10, 9, 8]);
  });
  it('cuts the oldest to fit the token budget', () => {
    expect(numbers(selectWindow(ten, { ...request, maxTokens: 205 }))).toEqual([9, 10]);
  });
  it('never cuts the newest', () => {
    expect(numbers(selectWindow(ten, { ...request, maxTokens: 1 }))).toEqual([10]);
  });
  it('does not skip a large one to reach an older small one', () => {
    const mixed = [
      reflection(0, 'other', 'short'),
      reflection(1, 'other', 'y'.repeat(4000)),
      reflection(2, 'other', 'short'),
    ];
    expect(numbers(selectWindow(mixed, { ...request, maxTokens: 100 }))).toEqual([2]);
  });
});

describe('omegaFor', () => {
  it.each([
    ['unit_tests', 1],
    ['integration_tests', 3],
    ['type_check', 1],
    ['lint', 1],
    ['combined', 3],
    ['manual_review', 5],
  ] as const)('is by default that of %s: %i', (verification, omega) => {
    expect(omegaFor(undefined, verification, [])).toBe(omega);
  });
  it('is what the user set', () => {
    expect(omegaFor(7, 'unit_tests', [])).toBe(7);
  });
  it.each([
    [['logic_error', 'logic_error'], 1],
    [['logic_error', 'other', 'edge_case_miss'], 3],
    [['logic_error', 'other', 'edge_case_miss', 'hallucination', 'integration_error'], 5],
  ] as const)('grows by itself with the diversity of failures', (categories, omega) => {
    const reflections = categories.map((category, index) => reflection(index, category));
    expect(omegaByDiversity(reflections)).toBe(omega);
    expect(omegaFor('auto', 'unit_tests', reflections)).toBe(omega);
  });
});
