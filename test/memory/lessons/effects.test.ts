import { expect, it } from 'vitest';
import { effectsOf } from '../../../src/memory/lessons/effects.ts';
import type { AttemptOutcome } from '../../../src/ports/memory.ts';
import type { LessonClaim } from '../../../src/schema/generated.ts';
import { CART_FAILURE, judged, OTHER_FAILURE, outcome } from '../recall/sample.ts';
import { lesson } from './sample.ts';

const failures = [{ fingerprint: CART_FAILURE.fingerprint, name: 'cart > totals nothing' }];
const place = {
  within: ['export function total(items) {'],
  above: 'export function total(items) {',
  below: 'return total;',
  ...{ nth: 1, of: 1, repeated: true },
};
const edit = { file: 'src/cart.ts', before: 'let total;', after: 'let total = 0;', place, failures };
const both = [...failures, { fingerprint: OTHER_FAILURE.fingerprint, name: 'other' }];
const insufficient: LessonClaim = { kind: 'edit_insufficient', ...edit };
const works: LessonClaim = { kind: 'edit_works', ...edit };
const decides: LessonClaim = { kind: 'file_decides_failure', file: 'src/cart.ts', failures };
const command: LessonClaim = { kind: 'command_fact', check: 'tests', command: 'vitest run' };

/** An attempt that changed one line of one file. */
function changing(file: string, after: string): AttemptOutcome['changes'] {
  const patch = `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -7 +7 @@\n-  let total;\n+  ${after}\n`;
  return {
    files: [{ path: file, kind: 'modified', linesAdded: 1, linesDeleted: 1 }],
    ...{ linesAdded: 1, linesDeleted: 1, patch, place },
  };
}

const same = changing('src/cart.ts', 'let total = 0;');
const another = changing('src/cart.ts', 'let total = 1;');
/** The same edit of an equal line in another function, and of the second of two such lines in the same one. */
const equalLine = {
  ...same,
  place: { ...place, within: ['function net(items) {'], above: 'function net(items) {' },
};
const secondLine = { ...same, place: { ...place, nth: 2, of: 2 } };
const withoutPlace = { ...same, place: undefined } as unknown as typeof same;
const elsewhere = changing('src/date.ts', 'let total = 0;');
const fixed = judged(3, { diagnostics: [OTHER_FAILURE] });
const left = judged(2, { diagnostics: [CART_FAILURE, OTHER_FAILURE] });
/** The test timed out: it is absent from the failures, and nothing shows that it passes. */
const timedOut = judged(2, {
  diagnostics: [{ ...OTHER_FAILURE, type: 'timeout', message: 'The run timed out.' }],
});

it.each<[string, LessonClaim, AttemptOutcome['changes'], AttemptOutcome['evaluation'], string | undefined]>([
  [
    'an edit that was not enough stays true of itself where another edit of that file fixes all',
    insufficient,
    another,
    fixed,
    'settled',
  ],
  [
    'a file that was not enough is refuted by an edit of it alone',
    { ...insufficient, before: '', after: '' },
    another,
    fixed,
    'contradiction',
  ],
  [
    'an edit that was not enough is refuted by the same edit that now is',
    insufficient,
    same,
    fixed,
    'contradiction',
  ],
  ['an edit that fixed two is not confirmed by one', { ...works, failures: both }, same, fixed, undefined],
  ['an edit that fixed two is refuted by none', { ...works, failures: both }, same, left, 'contradiction'],
  ['a file that decided two is not confirmed by one', { ...decides, failures: both }, same, fixed, undefined],
  ['an edit that was not enough is confirmed by the same edit', insufficient, same, left, 'support'],
  ['an edit that was not enough says nothing of another one', insufficient, another, left, undefined],
  ['an edit that was not enough says nothing of another file', insufficient, elsewhere, fixed, undefined],
  ['an edit that was not enough is not refuted by a time-out', insufficient, same, timedOut, undefined],
  [
    'an edit that was not enough is not refuted by that of an equal line',
    insufficient,
    equalLine,
    fixed,
    'settled',
  ],
  ['an edit that was not enough says nothing of an equal line', insufficient, equalLine, left, undefined],
  ['an edit that works is not confirmed by that of an equal line', works, equalLine, fixed, undefined],
  ['an edit that works is not refuted by that of an equal line', works, equalLine, left, undefined],
  ['an edit that works is not refuted by that of the next equal line', works, secondLine, left, undefined],
  ['an edit whose place is not known tests nothing', works, withoutPlace, left, undefined],
  ['an edit that works is confirmed by the same edit', works, same, fixed, 'support'],
  ['an edit that works is refuted by the same edit', works, same, left, 'contradiction'],
  ['an edit that works is not confirmed by another one', works, another, fixed, undefined],
  ['a file that decides is confirmed by its change alone', decides, another, fixed, 'support'],
  ['a file that decides is refuted by another one', decides, elsewhere, fixed, 'contradiction'],
  ['a file that decides is not refuted while the failure stays', decides, same, left, undefined],
  ['a command is confirmed by a check that ran, whether it passed or not', command, same, left, 'support'],
  ['a command is refuted by another one', { ...command, command: 'mocha' }, same, left, 'contradiction'],
  ['a preference is not up for evidence', { kind: 'preference' }, same, left, undefined],
  ['advice is not supported by a failure that went away', { kind: 'advice' }, same, fixed, undefined],
])('%s', (_, claim, changes, evaluation, effect) => {
  const stored = lesson('A lesson', {
    claim,
    fingerprints: [CART_FAILURE.fingerprint],
    files: ['src/cart.ts'],
  });
  const found = effectsOf(outcome({ loopId: 'ralph-two', changes, evaluation }), [stored]);
  expect(found).toEqual(
    effect === undefined ? [] : [{ lessonId: stored.id, effect, loopId: 'ralph-two', iteration: 0 }],
  );
});

it('does not test a lesson by the attempt that it comes from', () => {
  const source = { pass: 'reflection', loop_id: 'ralph-one', iteration: 0 } as const;
  const stored = lesson('A lesson', { claim: works, source });
  expect(effectsOf(outcome({ changes: same, evaluation: fixed }), [stored])).toEqual([]);
});

it.each([
  ['an edit that was not enough', insufficient, same],
  ['an edit that works', works, same],
  ['a file that decides', decides, another],
  ['a file that decides', decides, elsewhere],
])('does not test %s by an attempt that started from the tree of an earlier one', (_, claim, changes) => {
  const stored = lesson('A lesson', { claim });
  const later = outcome({ loopId: 'ralph-two', changes, evaluation: fixed, startedFrom: 1 });
  expect(effectsOf(later, [stored])).toEqual([]);
});

it('tests no command by a check that ran only the tests which a change reaches', () => {
  const [check] = judged(1).checks;
  const lessons = [lesson('The tests check runs `vitest run`.', { claim: command })];
  const effects = (change: object): string[] => {
    const evaluation = judged(1, { checks: [{ ...check!, ...change }] });
    return effectsOf(outcome({ evaluation }), lessons).map(({ effect }) => effect);
  };
  expect(effects({ command: 'vitest run test/a.test.ts' })).toEqual(['contradiction']);
  expect(effects({ command: 'vitest run test/a.test.ts', reused: 3 })).toEqual([]);
});
