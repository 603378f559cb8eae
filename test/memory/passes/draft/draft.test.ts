import { describe, expect, it } from 'vitest';
import { normaliseCandidate } from '../../../../src/memory/lessons/gate/normalise.ts';
import { groundIn } from '../../../../src/memory/lessons/gate/ground.ts';
import { draftsOf, fixPatternOf, groundsOf } from '../../../../src/memory/passes/draft/rules.ts';
import { effectsOf } from '../../../../src/memory/lessons/effects.ts';
import { typeOf } from '../../../../src/memory/passes/draft/lesson-type.ts';
import { searchExperience } from '../../../../src/memory/recall/search-experience.ts';
import type { AttemptOutcome } from '../../../../src/ports.ts';
import type { Diagnostic } from '../../../../src/schema/generated.ts';
import { trajectory } from '../../../support/scripted.ts';
import { lesson } from '../../lessons/sample.ts';
import { CART_FAILURE, judged, OTHER_FAILURE, outcome, reflectionWith } from '../../recall/sample.ts';

const isGrounded = (over: Partial<AttemptOutcome>): boolean[] => {
  const attempt = outcome(over);
  const ground = groundIn(groundsOf(attempt));
  return [...draftsOf(attempt), ...fixPatternOf(attempt)].map(
    (draft) => normaliseCandidate(draft).ok && ground(draft).ok,
  );
};

describe('draftsOf', () => {
  it('attaches the failures that a lesson mentions', () => {
    const reflection = reflectionWith([
      'The total in src/cart.ts begins with NaN',
      'Everything is connected',
    ]);
    const [about, general] = draftsOf(outcome({ reflection }));
    expect(about).toMatchObject({
      type: 'pitfall',
      subject: 'project',
      source: { pass: 'reflection', loop_id: 'ralph-one', iteration: 0 },
      evidence: [
        {
          quote: 'AssertionError: the total of an empty cart',
          file: 'test/cart.test.ts',
          loop_id: 'ralph-one',
          iteration: 0,
        },
      ],
      confidence: 0.6,
      files: ['src/cart.ts', 'test/cart.test.ts'],
      fingerprints: [CART_FAILURE.fingerprint],
    });
    expect(general!.fingerprints).toEqual([CART_FAILURE.fingerprint, OTHER_FAILURE.fingerprint]);
  });

  it('quotes texts that are in the grounds, with failures and without', () => {
    const reflection = reflectionWith(['The total in src/cart.ts begins with NaN']);
    expect(isGrounded({ reflection })).toEqual([true]);
    const silent = judged(0, { diagnostics: [] });
    expect(isGrounded({ reflection, evaluation: silent })).toEqual([true]);
    const nothing = judged(4, { diagnostics: [], checks: [] });
    expect(isGrounded({ reflection, evaluation: nothing })).toEqual([false]);
  });

  it('does not ground lessons in statements of the actor', () => {
    const said = { ...trajectory(), rationale: 'It works now', message: 'All is well' };
    const grounds = groundsOf(outcome({ trajectory: said }));
    const texts = grounds.kind === 'texts' ? grounds.texts : [];
    expect(texts.join('\n')).not.toMatch(/It works now|All is well/);
    expect(texts).toContain(CART_FAILURE.message);
  });

  it('increases the importance with the change of the reward', () => {
    const reflection = reflectionWith(['The total begins with NaN']);
    const still = draftsOf(outcome({ reflection }))[0]!.importance;
    expect(draftsOf(outcome({ reflection, evaluation: judged(4) }))[0]!.importance).toBeGreaterThan(still);
  });

  it('returns no drafts without a reflection', () => {
    expect(draftsOf(outcome())).toEqual([]);
  });

  it.each<[string, string, Parameters<typeof reflectionWith>[1], Diagnostic['type'][], number]>([
    ['command', 'Run `npm run gen` before the tests', {}, ['test_failure'], 2],
    [
      'environment',
      'The parser is configured elsewhere',
      { failure_category: 'configuration_error' },
      ['test_failure'],
      2,
    ],
    ['environment', 'The package left-pad is not installed here', {}, ['test_failure'], 2],
    ['convention', 'Semicolons are asked for', {}, ['lint_error'], 2],
    ['constraint', 'Totals are numbers', {}, ['type_error', 'syntax_error'], 2],
    ['fix_pattern', 'A guard mended the empty cart', {}, ['test_failure'], 3],
    ['pitfall', 'A guard mended the empty cart', {}, ['test_failure'], 2],
    ['constraint', 'A total must be rounded', {}, ['test_failure', 'lint_error'], 2],
    ['pitfall', 'The total begins with NaN', {}, [], 2],
  ])('assigns the type %s: %s', (type, text, credit, kinds, passed) => {
    const attempt = outcome({ reflection: reflectionWith([text], credit), evaluation: judged(passed) });
    expect(
      typeOf(
        text,
        attempt,
        kinds.map((kind) => ({ ...CART_FAILURE, type: kind })),
      ),
    ).toBe(type);
  });
});

describe('fixPatternOf', () => {
  const accepted = {
    operator: 'comparison',
    edit: 'src/cart.ts: i <= n → i < n @0123456789',
    file_path: 'src/cart.ts',
    test_file: 'test/cart.test.ts',
  };
  const delta = { fixed: [CART_FAILURE.fingerprint], same: [], new: [] };
  const mended = { trajectory: { ...trajectory(), accepted }, best: true, evaluation: judged(3, { delta }) };

  it('names the edit and the fixed test, and is grounded', () => {
    expect(fixPatternOf(outcome(mended))).toMatchObject([
      {
        text: 'In src/cart.ts the `comparison` edit "i <= n → i < n" fixed failures of test/cart.test.ts.',
        type: 'fix_pattern',
        files: ['src/cart.ts', 'test/cart.test.ts'],
        fingerprints: [CART_FAILURE.fingerprint],
      },
    ]);
    expect(isGrounded(mended)).toEqual([true]);
  });

  it.each([
    ['nothing was mended', { evaluation: judged(2) }],
    ['it was not the best', { best: false }],
    ['it was no search', { trajectory: trajectory() }],
  ])('returns no pattern where %s', (_, over) => {
    expect(fixPatternOf(outcome({ ...mended, ...over }))).toEqual([]);
  });

  it('orders the next search like its repair, and counts once', () => {
    const [pattern] = fixPatternOf(outcome(mended));
    const stored = lesson(pattern!.text, { type: 'fix_pattern', files: [...pattern!.files!] });
    expect(searchExperience([], [stored])).toEqual([{ ...accepted, edit: 'src/cart.ts: i <= n → i < n @0' }]);
    expect(searchExperience([accepted], [stored])).toEqual([accepted]);
  });

  it.each([
    ['archived', { status: 'archived' }],
    ['of another type', { type: 'pitfall' }],
  ] as const)('does not order the next search where it is %s', (_, over) => {
    expect(searchExperience([], [lesson('Try `guard` first', { type: 'fix_pattern', ...over })])).toEqual([]);
  });
});

describe('effectsOf', () => {
  const about = { fingerprints: [CART_FAILURE.fingerprint] };
  const left = [OTHER_FAILURE];
  const fixed = { fixed: [CART_FAILURE.fingerprint], same: [OTHER_FAILURE.fingerprint], new: [] };
  const same = { fixed: [], same: [CART_FAILURE.fingerprint, OTHER_FAILURE.fingerprint], new: [] };
  const both = [CART_FAILURE, OTHER_FAILURE];

  it.each([
    [
      'support: its failure is gone and the reward is up',
      about,
      judged(3, { diagnostics: left, delta: fixed }),
      'support',
    ],
    [
      'nothing: its failure is gone, the reward is not up',
      about,
      judged(2, { diagnostics: left, delta: fixed }),
      undefined,
    ],
    [
      'contradiction: its failure is there again',
      about,
      judged(2, { diagnostics: both, delta: same }),
      'contradiction',
    ],
    [
      'contradiction: its failure is there, though others are gone',
      about,
      judged(3, { diagnostics: [CART_FAILURE], delta: same }),
      'contradiction',
    ],
    [
      'contradiction: its test fails with other words',
      about,
      judged(2, {
        diagnostics: [{ ...CART_FAILURE, fingerprint: 'fff' }],
        delta: { fixed: [], same: [CART_FAILURE.fingerprint], new: [] },
      }),
      'contradiction',
    ],
    ['support: files that were touched, and better', { files: ['src/cart.ts'] }, judged(3), 'support'],
    [
      'contradiction: files that were touched, and worse',
      { files: ['src/cart.ts'] },
      judged(1),
      'contradiction',
    ],
    [
      'contradiction: files that were touched, and new failures',
      { files: ['src/cart.ts'] },
      judged(2, { delta: { fixed: [], same: [], new: ['x'] } }),
      'contradiction',
    ],
    ['nothing: files that were touched, and no difference', { files: ['src/cart.ts'] }, judged(2), undefined],
    ['nothing: files that were not touched', { files: ['src/date.ts'] }, judged(3), undefined],
    ['nothing: about nothing in particular', {}, judged(4), undefined],
    [
      'support by files: failures of another time',
      { files: ['src/cart.ts'], fingerprints: ['old'] },
      judged(3),
      'support',
    ],
  ] as const)('returns %s', (_, over, evaluation, effect) => {
    const stored = lesson('The total begins with NaN', {
      ...over,
      files: [...('files' in over ? over.files : [])],
      fingerprints: [...('fingerprints' in over ? over.fingerprints : [])],
    });
    const seen = effectsOf(outcome({ evaluation }), [stored]);
    expect(seen).toEqual(
      effect === undefined ? [] : [{ lessonId: stored.id, effect, loopId: 'ralph-one', iteration: 0 }],
    );
  });
});
