import { describe, expect, it } from 'vitest';
import { normaliseCandidate } from '../../../../src/memory/lessons/gate/normalise.ts';
import { groundIn } from '../../../../src/memory/lessons/gate/ground.ts';
import { draftsOf, groundsOf, shownBy } from '../../../../src/memory/passes/draft/rules.ts';
import { typeOf } from '../../../../src/memory/passes/draft/lesson-type.ts';
import { searchExperience } from '../../../../src/memory/recall/search-experience.ts';
import type { AttemptOutcome } from '../../../../src/ports/memory.ts';
import type { Diagnostic } from '../../../../src/schema/generated.ts';
import { trajectory } from '../../../support/scripted.ts';
import { lesson } from '../../lessons/sample.ts';
import { CART_FAILURE, judged, OTHER_FAILURE, outcome, reflectionWith } from '../../recall/sample.ts';

const isGrounded = (over: Partial<AttemptOutcome>): boolean[] => {
  const attempt = outcome(over);
  const ground = groundIn(groundsOf(attempt));
  return [...draftsOf(attempt), ...shownBy(attempt)].map(
    (draft) => normaliseCandidate(draft).ok && ground(draft).ok,
  );
};

describe('draftsOf', () => {
  it('quotes a passage that has a name of the lesson, and drops lessons that name nothing or something unknown', () => {
    const reflection = reflectionWith([
      'The total in src/cart.ts begins with NaN',
      'Everything is connected',
      'Run `npm run magic` before the tests',
      'The total in src/ghost.js begins with zero',
    ]);
    const drafts = draftsOf(outcome({ reflection }));
    expect(drafts.map(({ text }) => text)).toEqual(['The total in src/cart.ts begins with NaN']);
    expect(drafts[0]).toMatchObject({
      ...{ type: 'pitfall', subject: 'project', claim: { kind: 'advice' } },
      source: { pass: 'reflection', loop_id: 'ralph-one', iteration: 0 },
      evidence: [{ quote: 'src/cart.ts', loop_id: 'ralph-one', iteration: 0 }],
      confidence: 0.6,
      files: ['src/cart.ts', 'test/cart.test.ts'],
      fingerprints: [CART_FAILURE.fingerprint],
    });
  });

  it('quotes texts that are in the grounds', () => {
    const reflection = reflectionWith(['The total in src/cart.ts begins with NaN']);
    expect(isGrounded({ reflection })).toEqual([true]);
  });

  it('does not ground lessons in statements of the actor', () => {
    const said = { ...trajectory(), rationale: 'It works now', message: 'All is well' };
    const grounds = groundsOf(outcome({ trajectory: said }));
    const texts = grounds.kind === 'texts' ? grounds.texts : [];
    expect(texts.join('\n')).not.toMatch(/It works now|All is well/);
    expect(texts).toContain(CART_FAILURE.message);
  });

  it('increases the importance with the change of the reward', () => {
    const reflection = reflectionWith(['The total in src/cart.ts begins with NaN']);
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

describe('shownBy, of a search', () => {
  const accepted = {
    operator: 'comparison',
    edit: 'src/cart.ts: i <= n → i < n @0123456789',
    file_path: 'src/cart.ts',
    test_file: 'test/cart.test.ts',
  };
  const mended = {
    trajectory: { ...trajectory(), accepted },
    best: true,
    evaluation: judged(3, { diagnostics: [OTHER_FAILURE] }),
  };

  it('names the edit and the fixed test, and is grounded', () => {
    expect(shownBy(outcome(mended))).toMatchObject([
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
    ['nothing was mended', { evaluation: judged(2, { diagnostics: [CART_FAILURE, OTHER_FAILURE] }) }],
    ['it was not the best', { best: false }],
    ['it was no search', { trajectory: trajectory() }],
  ])('returns no pattern where %s', (_, over) => {
    expect(shownBy(outcome({ ...mended, ...over }))).toEqual([]);
  });

  it('has no pattern beside a claim that says the same', () => {
    const patch = [
      'diff --git a/src/cart.ts b/src/cart.ts',
      '--- a/src/cart.ts',
      '+++ b/src/cart.ts',
      '@@ -7 +7 @@',
      '-  while (i <= n) i++;',
      '+  while (i < n) i++;',
      '',
    ].join('\n');
    const shown = shownBy(outcome({ ...mended, changes: { ...outcome().changes, patch } }));
    expect(shown).toMatchObject([{ claim: { kind: 'edit_works' }, files: ['src/cart.ts'] }]);
  });

  it('orders the next search like its repair, and counts once', () => {
    const [pattern] = shownBy(outcome(mended));
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

describe('shownBy, by claims', () => {
  const patch = [
    'diff --git a/src/cart.ts b/src/cart.ts',
    '--- a/src/cart.ts',
    '+++ b/src/cart.ts',
    '@@ -7 +7 @@',
    '-  let total;',
    '+  let total = 0;',
    '',
  ].join('\n');
  const changes = { ...outcome().changes, patch };

  it('says that an edit fixed a failure, as a claim and as a sentence', () => {
    const [lesson] = shownBy(outcome({ changes, evaluation: judged(3, { diagnostics: [OTHER_FAILURE] }) }));
    expect(lesson).toMatchObject({
      text: 'In src/cart.ts, changing `let total;` to `let total = 0;` fixed the test "cart > totals nothing".',
      claim: {
        kind: 'edit_works',
        file: 'src/cart.ts',
        failures: [{ fingerprint: CART_FAILURE.fingerprint }],
      },
    });
    expect(normaliseCandidate(lesson!).ok).toBe(true);
  });

  it('says that an edit alone did not fix its failures', () => {
    const text =
      'In src/cart.ts, changing `let total;` to `let total = 0;` alone did not fix the test "cart > totals nothing".';
    const reflection = reflectionWith([text]);
    const known = { ...CART_FAILURE, test_id: 'cart' };
    const evaluation = judged(0, { diagnostics: [known] });
    const made = outcome({ changes, reflection, evaluation, previous: evaluation });
    expect(shownBy(made)).toMatchObject([{ text, claim: { kind: 'edit_insufficient' } }]);
    expect(draftsOf(made)).toEqual([]);
    // The reflector did not see that a test ran the edit.
    expect(shownBy({ ...made, reflection: reflectionWith([]) })).toEqual([]);
  });

  it('says nothing of a tree that the loop had before', () => {
    expect(shownBy(outcome({ changes, isSeenTree: true }))).toEqual([]);
  });

  it('says nothing where the checks did not report again, or several files changed', () => {
    const silent = judged(0, { diagnostics: [], checks: [] });
    expect(shownBy(outcome({ changes, evaluation: silent }))).toEqual([]);
    const two = patch + patch.replaceAll('cart', 'date');
    expect(shownBy(outcome({ changes: { ...changes, patch: two } }))).toEqual([]);
  });
});
