import { expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/platform/text/line-diff.ts';
import { bestOfCandidates, patched } from '../../../bench/datasets/alternatives.ts';
import { emptyTrajectory } from '../../../src/loop/trajectory.ts';
import type { Trajectory } from '../../../src/schema/generated.ts';

const path = 'src/sum.js';
const text = ['const sum = (a, b) => {', '  return a - b;', '};', '', 'module.exports = { sum };', ''].join(
  '\n',
);
const patch = unifiedDiff(path, text, text.replace('a - b', 'a + b'));
const plain = emptyTrajectory('search', '');
const rich: Trajectory = { ...plain, alternatives: [{ description: 'a - b → a + b', patch }] };
const isRight = async (program: string): Promise<boolean> => program.includes('a + b');

it('depends on the accepted result alone if no trajectory has an alternative', async () => {
  const judge = async (): Promise<boolean> => Promise.reject(new Error('The judge must not be called.'));
  expect(await bestOfCandidates([plain], text, { passes: true, judge })).toBe(true);
  expect(await bestOfCandidates([plain], text, { passes: false, judge })).toBe(false);
});

it('judges the patched program of each alternative', async () => {
  expect(await bestOfCandidates([plain, rich], text, { passes: false, judge: isRight })).toBe(true);
  const never = async (): Promise<boolean> => false;
  expect(await bestOfCandidates([rich], text, { passes: false, judge: never })).toBe(false);
});

it('does not apply a patch to another text', () => {
  expect(patched(text, patch)).toContain('a + b');
  expect(patched(text.replace('a - b', 'b - a'), patch)).toBeUndefined();
});
