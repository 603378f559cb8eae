import { expect, it } from 'vitest';
import { patchOf } from '../../../src/repair/strategy/change-text.ts';
import { bestOfCandidates, patched } from '../../../bench/datasets/alternatives.ts';
import { emptyTrajectory } from '../../../src/loop/trajectory.ts';
import type { Trajectory } from '../../../src/schema/generated.ts';

const path = 'src/sum.js';
const text = ['const sum = (a, b) => {', '  return a - b;', '};', '', 'module.exports = { sum };', ''].join(
  '\n',
);
const start = text.indexOf('-');
const edit = { file: path, start, end: start + 1, replacement: '+' };
const patch = patchOf(text, { edits: [edit], operator: 'arithmetic', line: 2, signature: '', prior: 1 });
const plain = emptyTrajectory('search', '');
const rich: Trajectory = { ...plain, alternatives: [{ description: 'a - b → a + b', patch }] };
const isRight = async (program: string): Promise<boolean> => program.includes('a + b');

it('is what was accepted where a trajectory carries no alternative', async () => {
  const judge = async (): Promise<boolean> => Promise.reject(new Error('Nothing is there to be judged.'));
  expect(await bestOfCandidates([plain], { path, text }, { passes: true, judge })).toBe(true);
  expect(await bestOfCandidates([plain], { path, text }, { passes: false, judge })).toBe(false);
});

it('judges each alternative as the program that its patch makes', async () => {
  expect(await bestOfCandidates([plain, rich], { path, text }, { passes: false, judge: isRight })).toBe(true);
  const never = async (): Promise<boolean> => false;
  expect(await bestOfCandidates([rich], { path, text }, { passes: false, judge: never })).toBe(false);
});

it('has no program for a patch of another text', async () => {
  expect(await patched(path, text, patch)).toContain('a + b');
  expect(await patched(path, text.replace('a - b', 'b - a'), patch)).toBeUndefined();
});
