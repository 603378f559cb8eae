/** Lessons on one of several equal lines say which one. */
import { expect, it } from 'vitest';
import { placeOfEdit, isSamePlace } from '../../src/platform/git/edit-place.ts';
import { claimedEdit, lessonClaimsOf, renderLessonClaim } from '../../src/prompts/lesson-claims.ts';
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

const TOKEN = `sk-ant-api03-${'a1B2'.repeat(6)}`;
/** A line in which the cut after so many characters lies within the token. */
const cutWithin = (chars: number): string => `  const key = '${'x'.repeat(chars - 40)}', '${TOKEN}';`;

it.each([195, 205, 215, 225])('stores no half of a token in the lines around an edit (%i)', (chars) => {
  const file = [
    `function f('${cutWithin(chars).trim()}') {`,
    cutWithin(chars),
    '  x();',
    cutWithin(chars),
    '}',
  ];
  const { within, above, below } = placeAt(3, ['  x();'], file);
  for (const line of [...within, above, below]) {
    expect(line.length).toBeLessThanOrEqual(200);
    expect(line).not.toMatch(/sk-a|a1B2/);
  }
});

it.each([
  ['beyond their stored part', (end: string) => `  call('${'x'.repeat(300)}${end}');`],
  ['in a secret', (end: string) => `  const key = '${TOKEN}${end}';`],
])('counts places that the stored lines around them do not tell apart: they differ %s', (_where, line) => {
  const part = (end: string): string[] => [line(end), '  x();', '  y();'];
  const file = ['function f() {', ...part('a'), ...part('b'), '}'];
  expect(placeAt(3, ['  x();'], file)).toMatchObject({ nth: 1, of: 2 });
  expect(placeAt(6, ['  x();'], file)).toMatchObject({ nth: 2, of: 2 });
});

it.each([1985, 1990, 2005, 2015])('stores no half of a token at the end of a long edit (%i)', (chars) => {
  const { before, after } = claimedEdit(`one(${cutWithin(chars)}`, `two(${cutWithin(chars)}`);
  for (const side of [before, after]) {
    expect(side.length).toBeLessThanOrEqual(2000);
    expect(side).not.toMatch(/sk-a|a1B2/);
  }
});

it.each([980, 985, 995, 1005])('stores no half of a token at the beginning of a long edit (%i)', (chars) => {
  const line = `${'x'.repeat(1500)} '${TOKEN}' ${'x'.repeat(chars)}`;
  const { before, after } = claimedEdit(`${line}one${line}`, `${line}two${line}`);
  for (const side of [before, after]) expect(side).not.toMatch(/sk-a|a1B2|B2a1/);
});

it.each([
  ['equal lines', '  x();'],
  ['empty lines', ''],
])('reads a file of 20,000 %s in less than a second of processor time', (_what, line) => {
  const file = [
    ...Array.from({ length: 9_998 }, () => line),
    'y();',
    ...Array.from({ length: 10_000 }, () => line),
  ];
  const started = process.cpuUsage();
  placeOfEdit(patchAt(9_000, [line], ['z();'], file), file);
  placeOfEdit(patchAt(9_000, [], ['z();'], file), file);
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});

it('has no place among too many equal ones, and one among some hundred', () => {
  const equal = (count: number): string[] => Array.from({ length: count }, () => '  x();');
  const many = ['f() {', ...equal(2_000), '}'];
  expect(placeOfEdit(patchAt(900, ['  x();'], ['z();'], many), many)).toBeUndefined();
  const some = ['f() {', ...equal(300), '}'];
  expect(placeAt(150, ['  x();'], some)).toMatchObject({ within: ['f() {'], nth: 148, of: 298 });
  // A long file in which the line stands once.
  const once = ['f() {', ...equal(2_000), '  y();', ...equal(2_000), '}'];
  expect(placeAt(2_002, ['  y();'], once)).toMatchObject({ nth: 1, of: 1, repeated: false });
});
