import { describe, expect, it } from 'vitest';
import { effectOf, lessonEffect, memoryEffect } from '../../../src/memory/experiment/effect.ts';
import { trial, trials } from './sample.ts';

const told = trials(40, () => ({}));
const failed = { passed: false, attempts: null };

describe('effectOf', () => {
  it.each([
    ['more loops pass', told, trials(12, (index) => (index % 2 === 0 ? failed : {})), true],
    ['loops pass earlier', told, trials(12, (index) => ({ attempts: 2 + (index % 2) })), true],
    [
      'the search tries fewer edits',
      trials(40, (index) => ({ tried: 50 + index })),
      trials(12, (index) => ({ tried: 200 + 40 * index })),
      true,
    ],
    ['nothing differs', told, trials(12, () => ({})), false],
    [
      'fewer loops pass',
      trials(40, (index) => (index % 2 === 0 ? failed : {})),
      trials(12, () => ({})),
      false,
    ],
    ['there are too few loops', told, trials(7, () => failed), false],
  ])('helps only where a figure is surely better: %s', (_, first, second, helps) => {
    expect(effectOf(first, second).helps).toBe(helps);
  });

  it('leaves out loops without a result, and gives no interval of means for a few', () => {
    const open = trial('ralph-open', { passed: null, attempts: null });
    const effect = effectOf([...told, open], [trial('ralph-x', { attempts: 3 }), open]);
    expect(effect).toMatchObject({
      told: { part: 40, n: 40 },
      untold: { part: 1, n: 1, too_few: true },
      attempts: { value: -2, low: null, high: null },
      tried: { value: null, low: null, high: null },
    });
  });
});

describe('memoryEffect and lessonEffect', () => {
  it('compare what was drawn: loops without memory, and loops without the lesson', () => {
    const all = [
      trial('a', { lessons: ['one', 'two'] }),
      trial('b', { lessons: ['one', 'two'], withheld: 'one' }),
      trial('c', { lessons: ['two'], withheld: 'two', ...failed }),
      trial('d', { arm: 'untold' }),
      trial('e', { arm: 'waiting' }),
    ];
    expect(memoryEffect(all)).toMatchObject({ told: { part: 2, n: 3 }, untold: { part: 1, n: 1 } });
    expect(lessonEffect('one', all)).toMatchObject({ told: { part: 1, n: 1 }, untold: { part: 1, n: 1 } });
    expect(lessonEffect('two', all)).toMatchObject({ told: { part: 2, n: 2 }, untold: { part: 0, n: 1 } });
  });
});
