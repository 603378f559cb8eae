import { describe, expect, it } from 'vitest';
import { createHabits, type Habits } from '../../../src/repair/habits/habits.ts';

const loopOver = (name: string): string =>
  `export function ${name}(${name}s) {\n  const sum = [];\n  for (let i = 0; i < ${name}s.length; i++) sum.push(${name}s[i].size);\n  return sum;\n}\n`;
const SOURCES = ['box', 'bag', 'cup', 'jar', 'pot', 'tin'].map((name) => ({
  file: `src/${name}.js`,
  text: loopOver(name),
}));
const WRONG = loopOver('can').replace('.size', '.length');
const FILE = 'src/can.js';

/** How well the replacement of the only occurrence of a piece of code fits. */
function fitOf(habits: Habits, text: string, [from, to]: readonly [string, string]): number {
  const start = text.lastIndexOf(from);
  return habits.fitIn(FILE, text)([{ start, end: start + from.length, replacement: to }]);
}

describe('createHabits', () => {
  it('favours an edit that makes the code as it is elsewhere, and disfavours one that makes it unlike', () => {
    const habits = createHabits(SOURCES, []);
    const right = fitOf(habits, WRONG, ['.length', '.size']);
    expect(right).toBeGreaterThan(1);
    expect(right).toBeGreaterThan(fitOf(habits, WRONG, ['.length', '.weight']));
    expect(fitOf(habits, loopOver('can'), ['i < can', 'i <= can'])).toBeLessThan(1);
  });

  it('does not count the code that is edited as a habit', () => {
    const one = createHabits([...SOURCES, { file: FILE, text: WRONG }], []);
    expect(fitOf(one, WRONG, ['.length', '.size'])).toBeCloseTo(
      fitOf(createHabits(SOURCES, []), WRONG, ['.length', '.size']),
      10,
    );
  });

  it('judges every edit alike, in any order and however often', () => {
    const fit = createHabits(SOURCES, []).fitIn(FILE, WRONG);
    const at = WRONG.lastIndexOf('.length');
    const edits = ['.size', '.weight', '', '.size.length'].map((replacement) => [
      { start: at, end: at + 7, replacement },
    ]);
    const first = edits.map(fit);
    expect(edits.toReversed().map(fit).toReversed()).toEqual(first);
  });

  it('does not favour an edit because it leaves less code', () => {
    const habits = createHabits(SOURCES, []);
    expect(fitOf(habits, WRONG, ['.length', ''])).toBe(1);
  });

  it('favours a change that the history made elsewhere, whatever is around it', () => {
    const change = { before: 'return a.hasOwnProperty(b);', after: 'return a.hasOwn(b);' };
    const text = 'if (x.hasOwnProperty(y)) z();\n';
    const edit = ['hasOwnProperty', 'hasOwn'] as const;
    expect(fitOf(createHabits([], []), text, edit)).toBe(1);
    const [once, thrice] = [createHabits([], [change]), createHabits([], [change, change, change])].map(
      (habits) => fitOf(habits, text, edit),
    );
    expect(once).toBeGreaterThan(1);
    expect(thrice).toBeGreaterThan(once!);
    expect(fitOf(createHabits([], [change]), text, ['hasOwnProperty', 'has'])).toBe(1);
  });

  it('learns nothing from large changes and from changes of white space', () => {
    const before = 'f(a)';
    const large = { before, after: `f(${Array.from({ length: 20 }, (_, at) => `a${at}`).join(', ')})` };
    const habits = createHabits([], [large, { before, after: 'f( a )' }]);
    expect(fitOf(habits, 'f(a)', ['a', 'b'])).toBe(1);
  });

  it('has a factor within its bounds, however usual or unusual an edit is', () => {
    const change = { before: 'a', after: 'b' };
    const habits = createHabits(
      SOURCES,
      Array.from({ length: 10_000 }, () => change),
    );
    expect(fitOf(habits, 'f(a)', ['a', 'b'])).toBe(habits.most);
    const strange = fitOf(habits, loopOver('can'), [
      'return sum',
      'q w e r t y u i o p a s d f g h j k l'.repeat(9),
    ]);
    expect(strange).toBeGreaterThanOrEqual(1 / habits.most);
    expect(strange).toBeLessThan(1);
  });

  it('judges edits at the ends of a text and of several places', () => {
    const fit = createHabits(SOURCES, []).fitIn(FILE, WRONG);
    for (const edits of [
      [{ start: 0, end: 0, replacement: 'x' }],
      [{ start: WRONG.length, end: WRONG.length, replacement: 'x' }],
      [
        { start: 0, end: 6, replacement: '' },
        { start: WRONG.length - 2, end: WRONG.length - 1, replacement: '' },
      ],
    ])
      expect(fit(edits)).toBeGreaterThan(0);
    expect(createHabits([], []).fitIn(FILE, '')([{ start: 0, end: 0, replacement: 'x' }])).toBe(1);
  });
});
