/** Lessons on one of several equal lines say which one. */
import { expect, it } from 'vitest';
import { placeOfEdit, isSamePlace } from '../../src/platform/text/edit-place.ts';
import { lessonClaimsOf, renderLessonClaim } from '../../src/prompts/lesson-claims.ts';
import { failure, inputOf } from '../agents/reflectors/scenario.ts';

const FILE = [
  'export function gross(n) {',
  '  const rate = 2;',
  '  return n * rate;',
  '}',
  'export function net(n) {',
  '  const rate = 2;',
  '  return n / rate;',
  '}',
  '',
];

function patchAt(line: number, removed: readonly string[], added: readonly string[], file = FILE): string {
  const start = Math.max(1, line - 1);
  const context = file.slice(start - 1, line - 1);
  const after = file.slice(line - 1 + removed.length, line + removed.length);
  const size = (lines: readonly string[]): number => context.length + lines.length + after.length;
  return [
    ...['diff --git a/src/v.js b/src/v.js', '--- a/src/v.js', '+++ b/src/v.js'],
    `@@ -${start},${size(removed)} +${start},${size(added)} @@`,
    ...context.map((text) => ` ${text}`),
    ...removed.map((text) => `-${text}`),
    ...added.map((text) => `+${text}`),
    ...after.map((text) => ` ${text}`),
    '',
  ].join('\n');
}

const placeAt = (line: number, removed = ['  const rate = 2;'], file = FILE) =>
  placeOfEdit(patchAt(line, removed, ['  const rate = 3;'], file), file)!;

it('tells equal lines of two functions apart', () => {
  expect(placeAt(2)).toMatchObject({ within: ['export function gross(n) {'], repeated: true });
  expect(isSamePlace(placeAt(2), placeAt(6))).toBe(false);
});

it('tells equal lines of one function apart by their order', () => {
  const file = ['function f() {', '  a();', '  x();', '  b();', '  a();', '  x();', '  b();', '}'];
  expect(placeAt(3, ['  x();'], file)).toMatchObject({ nth: 1, of: 2 });
  expect(placeAt(6, ['  x();'], file)).toMatchObject({ nth: 2, of: 2 });
});

it('knows a place again after lines were added elsewhere', () => {
  const file = ['// a head', '', ...FILE];
  expect(isSamePlace(placeAt(2), placeAt(4, undefined, file))).toBe(true);
});

it('finds the head of a function over several lines', () => {
  const file = ['function f(', '  a,', ') {', '  const rate = 2;', '}'];
  expect(placeAt(4, undefined, file).within).toEqual(['function f(']);
});

it('has no place for a patch of other lines', () => {
  expect(placeOfEdit(patchAt(2, ['  const rate = 9;'], ['x']), FILE)).toBeUndefined();
});

const red = failure({ test_id: 't', rule: 't', fingerprint: 't' });

function lessonAt(line: number, startedFrom = 0): string[] {
  const patch = patchAt(line, ['  const rate = 2;'], ['  const rate = 3;']);
  const input = inputOf({ before: [red], after: [] });
  const tests = [{ id: 't', name: 't', status: 'passed' } as const];
  const evaluation = { ...input.evaluation, tests };
  const source = {
    ...input,
    evaluation,
    patch,
    place: placeOfEdit(patch, FILE),
    startedFrom,
    fixesSeen: ['t'],
  };
  return lessonClaimsOf(source).map(renderLessonClaim);
}

it('a lesson on one of two equal lines names the function', () => {
  expect(lessonAt(2)).toEqual([
    'In src/v.js, changing `const rate = 2;` to `const rate = 3;` (below `export function gross(n) {`) fixed the test "t".',
  ]);
  expect(lessonAt(6)).toEqual([
    'In src/v.js, changing `const rate = 2;` to `const rate = 3;` (below `export function net(n) {`) fixed the test "t".',
  ]);
});

it('an attempt from the tree of an earlier one may be a half of a fix, and shows no lesson', () => {
  expect(lessonAt(2, 1)).toEqual([]);
});
