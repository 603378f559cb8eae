import { expect, it } from 'vitest';
import { withoutCondition } from '../../../src/repair/choose/decided-conditions.ts';
import type { Candidate } from '../../../src/repair/syntax/edit.ts';

const candidate = (signature: string): Candidate => ({
  edits: [{ file: 'a.js', start: 0, end: 1, replacement: signature }],
  operator: 'comparison',
  line: 1,
  signature,
  prior: 1,
});

const [probe, never, seldom, sometimes] = ['false', 'never', 'seldom', 'sometimes'].map(candidate) as [
  Candidate,
  Candidate,
  Candidate,
  Candidate,
];
const near = [never, seldom, sometimes];
const repeated = (text: string, count: number): string[] => Array.from({ length: count }, () => text);
const original = repeated('branch', 20);

it('finds candidates that behave like a constant on nearly all inputs on which it matters', () => {
  const of = new Map([
    [probe, repeated('rest', 20)],
    [never, repeated('rest', 20)],
    [seldom, [...repeated('rest', 19), 'branch']],
    [sometimes, [...repeated('rest', 10), ...repeated('branch', 10)]],
  ]);
  expect(withoutCondition([{ probe, near }], { of, original })).toEqual(new Set([never, seldom]));
});

it('finds none where the constant changes nothing or was not compared', () => {
  const same = new Map([[probe, original], ...near.map((one) => [one, original] as const)]);
  expect(withoutCondition([{ probe, near }], { of: same, original }).size).toBe(0);
  expect(withoutCondition([{ probe, near }], { of: new Map(), original }).size).toBe(0);
});
