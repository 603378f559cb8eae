import { describe, expect, it } from 'vitest';
import { makeRoom } from '../../../src/memory/lessons/gate/cap.ts';
import { contradicts, findConflicts } from '../../../src/memory/lessons/gate/conflict.ts';
import { findDuplicate, strengthened } from '../../../src/memory/lessons/gate/duplicate.ts';
import { lessonId } from '../../../src/memory/lessons/lesson-id.ts';
import { FORGOTTEN_BY_USER } from '../../../src/memory/lessons/status-reasons.ts';
import type { LessonType } from '../../../src/schema/generated.ts';
import { candidate, lesson } from './sample.ts';

describe('lessonId', () => {
  const id = (text: string, type: LessonType = 'pitfall'): string =>
    lessonId({ text, type, subject: 'project' });

  it.each([
    ['Use `tabs` in src.', 'use tabs in src'],
    ['Use  tabs\nin src', 'Use "tabs" in src!'],
  ])('is the same for %j and %j', (one, other) => {
    expect(id(one)).toBe(id(other));
  });

  it.each([
    ['a <= b is right', 'a < b is right'],
    ['src/a.ts has it', 'src/b.ts has it'],
    ['Use tabs', 'Never use tabs'],
  ])('differs for %j and %j', (one, other) => {
    expect(id(one)).not.toBe(id(other));
  });

  it('differs by type', () => {
    expect(id('Use tabs')).not.toBe(id('Use tabs', 'convention'));
  });
});

describe('findDuplicate', () => {
  const stored = [lesson('The dev server keeps port 3000 until the process has ended')];
  const found = (text: string, over = {}) => findDuplicate(candidate(text, over), stored)?.id;

  it.each([
    'The dev server keeps port 3000 until the process has ended.',
    'the dev servers keep port 3000 until the process has ended',
    'Until the process has ended the dev server keeps port 3000',
  ])('finds the lesson for another wording: %s', (text) => {
    expect(found(text)).toBe(stored[0]!.id);
  });

  it.each([
    ['another number', 'The dev server keeps port 3001 until the process has ended', {}],
    ['a denial', 'The dev server never keeps port 3000 until the process has ended', {}],
    ['too few words shared', 'The dev server keeps its cache', {}],
    [
      'another subject',
      'Until the process has ended the dev server keeps port 3000',
      { subject: 'operator' },
    ],
  ])('finds none with %s', (_, text, over) => {
    expect(found(text, over)).toBeUndefined();
  });

  it.each([
    [
      'In index.js the `update` edit "this.#size--; → this.#size++;" fixed failures of test.js.',
      'In index.js the `update` edit "this.#size++; → this.#size--;" fixed failures of test.js.',
    ],
    [
      'Write `left` for `right` in the calls of compare',
      'Write `left + 0` for `right` in the calls of compare',
    ],
    ['Load src/a.ts before src/b.ts is loaded', 'Load src/b.ts before src/a.ts is loaded'],
  ])('finds none where similar words differ in meaning: %s / %s', (one, other) => {
    expect(findDuplicate(candidate(other), [lesson(one)])).toBeUndefined();
    expect(findDuplicate(candidate(one), [lesson(other)])).toBeUndefined();
  });

  it('finds the lesson regardless of the type', () => {
    expect(found('Until the process has ended the dev server keeps port 3000', { type: 'command' })).toBe(
      stored[0]!.id,
    );
    const forgotten = lesson('Ports stay taken', {
      status: 'archived',
      status_reason: `${FORGOTTEN_BY_USER}.`,
    });
    const again = candidate('Ports stay taken', { type: 'convention' });
    expect(findDuplicate(again, [forgotten])).toBe(forgotten);
    expect(findDuplicate(again, [{ ...forgotten, status_reason: 'The weakest.' }])).toBeUndefined();
    const standing = lesson('Ports stay taken', { type: 'command' });
    expect(findDuplicate(again, [forgotten, standing])).toBe(standing);
  });

  it('finds archived lessons only for the same statement', () => {
    const archived = [lesson('Ports stay taken until the end', { status: 'archived' })];
    expect(findDuplicate(candidate('Ports stay taken until the end'), archived)).toBe(archived[0]);
    expect(findDuplicate(candidate('Until the end ports stay taken'), archived)).toBeUndefined();
  });

  it('leads to the higher confidence and importance, and to the evidence, files and failures of both', () => {
    const old = lesson('Ports stay taken', {
      confidence: 0.7,
      importance: 0.2,
      evidence: [{ quote: 'one' }],
      files: ['a.ts'],
    });
    const evidence = [{ quote: 'one' }, { quote: 'two' }];
    const again = candidate('Ports stay taken', {
      importance: 0.9,
      evidence,
      files: ['b.ts'],
      fingerprints: ['f'],
    });
    const stronger = strengthened(old, again);
    expect(stronger).toEqual({
      ...old,
      importance: 0.9,
      evidence,
      files: ['a.ts', 'b.ts'],
      fingerprints: ['f'],
    });
    expect(strengthened(stronger, again)).toEqual(stronger);
  });
});

describe('contradicts', () => {
  const both = (type: LessonType, one: string, other: string): boolean =>
    contradicts({ text: one, type, subject: 'project' }, { text: other, type, subject: 'project' });

  it.each<[LessonType, string, string]>([
    ['command', 'Run the tests with `npm test`', 'Run the tests with `pnpm test`'],
    ['command', 'Use npm to install packages', 'Use pnpm to install packages'],
    ['preference', 'Prefer tabs for indentation', 'Prefer spaces for indentation'],
    ['convention', 'Always use default exports in components', 'Never use default exports in components'],
    ['constraint', 'Always edit `cart.test.js`', 'Never edit `cart.test.js`'],
    [
      'pitfall',
      'The cache is safe to share between workers',
      'The cache is not safe to share between workers',
    ],
  ])('is true (%s): %s / %s', (type, one, other) => {
    expect([both(type, one, other), both(type, other, one)]).toEqual([true, true]);
  });

  it.each<[LessonType, string, string]>([
    ['command', 'Run the tests with `npm test`', 'Build the docs with `npm run docs`'],
    ['command', 'Use npm to install packages', 'Use pnpm to publish releases'],
    ['preference', 'Prefer tabs for indentation', 'Prefer const for variables'],
    ['pitfall', 'The test "adds" is decided in src/add.js', 'The test "multiplies" is decided in src/mul.js'],
    ['pitfall', 'Use npm to install packages', 'Use pnpm to install packages'],
    ['convention', 'Never use default exports', 'Always write doc comments'],
  ])('is false (%s): %s / %s', (type, one, other) => {
    expect(both(type, one, other)).toBe(false);
  });

  it('is false for different subjects', () => {
    const [one, other] = ['Prefer tabs for indentation', 'Prefer spaces for indentation'];
    expect(
      contradicts(
        { text: one, type: 'preference', subject: 'operator' },
        { text: other, type: 'preference', subject: 'project' },
      ),
    ).toBe(false);
  });
});

describe('findConflicts', () => {
  const text = 'Run the tests with `npm test`';
  const newer = candidate('Run the tests with `pnpm test`', { type: 'command' });

  it.each([
    ['the newer, all else equal', {}, {}, 'candidate'],
    ['the surer', { confidence: 0.9 }, {}, 'stored'],
    ['the surer newcomer', {}, { confidence: 0.9 }, 'candidate'],
    [
      'what was borne out, however sure the other is',
      { support: 2, contradiction: 1 },
      { confidence: 1 },
      'stored',
    ],
    [
      'what was not contradicted, however unsure',
      { support: 1, contradiction: 2, confidence: 1 },
      {},
      'candidate',
    ],
    ['what the user pinned', { pinned: true }, { confidence: 1 }, 'stored'],
    ['what the user stated', { source: { pass: 'user' } }, { confidence: 1 }, 'stored'],
    ['what the user states now', { support: 9 }, { source: { pass: 'user' } }, 'candidate'],
    ['a pin over what the user states now', { pinned: true }, { source: { pass: 'user' } }, 'stored'],
  ] as const)('decides for %s', (_, was, is, winner) => {
    const stored = lesson(text, { type: 'command', ...was });
    expect(findConflicts({ ...newer, ...is }, [stored])).toMatchObject([
      { lesson: { id: stored.id }, winner },
    ]);
  });

  it('decides for the last word of the user, though the one before is pinned', () => {
    const said = { type: 'preference', claim: { kind: 'preference' }, source: { pass: 'user' } } as const;
    const stored = lesson('Always use integer maths.', { ...said, pinned: true });
    const now = candidate('Never use integer maths.', said);
    expect(findConflicts(now, [stored])).toMatchObject([{ lesson: { id: stored.id }, winner: 'candidate' }]);
    const others = candidate('Never use integer maths.', { type: 'preference' });
    expect(findConflicts(others, [stored])).toMatchObject([{ winner: 'stored' }]);
  });

  it.each([
    ['its id', lesson('Ports stay taken').id],
    ['its text', 'ports stay taken.'],
  ])('accepts %s in supersedes', (_, supersedes) => {
    const stored = lesson('Ports stay taken');
    const found = findConflicts(candidate('Ports are freed at once', { supersedes }), [stored]);
    expect(found).toMatchObject([{ lesson: { id: stored.id }, winner: 'candidate' }]);
  });

  it('ignores archived lessons and inexact names', () => {
    const gone = lesson(text, { type: 'command', status: 'archived' });
    expect(findConflicts(newer, [gone])).toEqual([]);
    const near = candidate('Ports are freed at once', { supersedes: 'ports stay' });
    expect(findConflicts(near, [lesson('Ports stay taken')])).toEqual([]);
  });
});

describe('makeRoom', () => {
  const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
  const stored = [
    lesson('weak but new', { confidence: 0.2, updated_at: at(3) }),
    lesson('weak and old', { confidence: 0.2, updated_at: at(1) }),
    lesson('weak and pinned', { confidence: 0.1, pinned: true }),
    lesson('contradicted often', { confidence: 0.5, contradiction: 8 }),
    lesson('borne out', { confidence: 0.3, support: 5 }),
    lesson('of another subject', { confidence: 0.01, subject: 'operator' }),
    lesson('archived already', { confidence: 0.01, status: 'archived' }),
  ];

  it.each([
    [6, []],
    [5, ['contradicted often']],
    [4, ['contradicted often', 'weak and old']],
    [3, ['contradicted often', 'weak and old', 'weak but new']],
  ])('for %i lessons archives the weakest, then the oldest', (most, leaving) => {
    expect(makeRoom('project', stored, most)?.map(({ text }) => text)).toEqual(leaving);
  });

  it('returns undefined where all lessons are pinned', () => {
    expect(makeRoom('project', [lesson('one of them', { pinned: true })], 1)).toBeUndefined();
  });
});

describe('contradicts', () => {
  const on = (title: string): string => `The test "${title}" needs the file src/cart.ts`;

  it('does not take a word in the title of a test for a negation', () => {
    const [one, other] = [lesson(on('adds what is not free')), lesson(on('adds what is free'))];
    expect(contradicts(one, other)).toBe(false);
    expect(contradicts(lesson('Use tabs in src'), lesson('Never use tabs in src'))).toBe(true);
  });

  it('leaves lessons with a test of truth to that test', () => {
    const claim = { kind: 'edit_works' } as const;
    expect(contradicts(lesson('Use tabs in src', { claim }), lesson('Never use tabs in src'))).toBe(false);
  });
});
