import { expect, it } from 'vitest';
import { isBranchTested, withoutCondition } from '../../../src/repair/choose/decided-conditions.ts';
import type { PassingPaths } from '../../../src/repair/choose/lost-paths.ts';
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
const decided = { probe, near, idle: { start: 10, end: 20 } };
const original = repeated('branch', 20);

it('finds candidates that behave like a constant on nearly all inputs on which it matters', () => {
  const of = new Map([
    [probe, repeated('rest', 20)],
    [never, repeated('rest', 20)],
    [seldom, [...repeated('rest', 19), 'branch']],
    [sometimes, [...repeated('rest', 10), ...repeated('branch', 10)]],
  ]);
  expect(withoutCondition([decided], { of, original })).toEqual(new Set([never, seldom]));
});

it('finds none where the constant changes nothing or was not compared', () => {
  const same = new Map([[probe, original], ...near.map((one) => [one, original] as const)]);
  expect(withoutCondition([decided], { of: same, original }).size).toBe(0);
  expect(withoutCondition([decided], { of: new Map(), original }).size).toBe(0);
});

it('asks whether a passing test runs the branch', () => {
  const statements = [{ id: 1, file: 'a.js', line: 1, start: 12, end: 15 }];
  const paths = (passing: ReadonlyMap<number, ReadonlySet<number>>) =>
    ({ statements, passing, passed: new Set([0]) }) as unknown as PassingPaths;
  expect(isBranchTested(decided, paths(new Map([[1, new Set([0])]])))).toBe(true);
  expect(isBranchTested(decided, paths(new Map()))).toBe(false);
});
