import { describe, expect, it } from 'vitest';
import { keptShare, rewriteProblems } from '../../../../src/memory/passes/playbook/check-rewrite.ts';
import {
  applyDecision,
  decayed,
  decideByRules,
  fadingLessons,
  type DecayDecision,
} from '../../../../src/memory/passes/playbook/decay.ts';
import { isRewriteDue } from '../../../../src/memory/passes/playbook/settings.ts';
import { healthWarnings, uniqueWordRatio } from '../../../../src/memory/passes/playbook/health.ts';
import { renderPlaybook } from '../../../../src/memory/passes/playbook/render.ts';
import { rewriteByRules } from '../../../../src/memory/passes/playbook/rules.ts';
import type { Lesson, PlaybookSlot } from '../../../../src/schema/generated.ts';
import { commitAll } from '../../../support/memory.ts';
import { temporaryFolder } from '../../../support/repositories.ts';

const ID = 'lesson-0123456789ab';

function lesson(over: Partial<Lesson> = {}): Lesson {
  return {
    ...{
      id: ID,
      text: 'The tests run with `npm test`.',
      type: 'command',
      subject: 'project',
      status: 'active',
    },
    source: { pass: 'user' },
    evidence: [{ quote: 'npm test' }, { quote: 'npm run test' }],
    ...{
      confidence: 0.8,
      importance: 0.5,
      support: 0,
      contradiction: 0,
      pinned: false,
      files: [],
      fingerprints: [],
    },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
    ...over,
  } as Lesson;
}

describe('isRewriteDue', () => {
  const quiet = { lastSeq: 0, shifted: false, pendingInsights: 0, stagedLessons: 0 };
  const busy = { lastSeq: 0, shifted: true, pendingInsights: 3, stagedLessons: 2 };
  it.each([
    ['cooldown within ten attempts after any change', { ...busy, seq: 9 }, 'cooldown'],
    ['event after ten attempts', { ...busy, seq: 10 }, 'event'],
    ['not_due without a shift', { ...busy, shifted: false, seq: 19 }, 'not_due'],
    [
      'not_due without pending insights or staged lessons',
      { ...busy, pendingInsights: 0, stagedLessons: 0, seq: 19 },
      'not_due',
    ],
    ['event for staged lessons only', { ...busy, pendingInsights: 0, seq: 12 }, 'event'],
    ['not_due before twenty attempts without changes', { ...quiet, seq: 19 }, 'not_due'],
    ['periodic after twenty attempts', { ...quiet, seq: 20 }, 'periodic'],
    ['not_due before twenty attempts since the last rewrite', { ...quiet, lastSeq: 20, seq: 39 }, 'not_due'],
    ['cooldown within ten attempts since the last rewrite', { ...busy, lastSeq: 20, seq: 29 }, 'cooldown'],
  ])('returns %s', (_, state, expected) => {
    const result = isRewriteDue(state);
    expect(result.due ? result.trigger : result.reason).toBe(expected);
  });
});

describe('decay', () => {
  it.each([
    [0.8, 4, 1, 0.8],
    [0.8, 5, 1, 0.8 * 6 ** -0.15],
    [0.8, 99, 1, 0.8 * 100 ** -0.15],
    [0.5, 9999, 1, 0.5 * 10_000 ** -0.15],
    [0.5, 9999, 9, 0.32],
    [0.9, 9999, 16, 0.6],
    [0.9, 9999, 50, 0.6],
    [0.3, 9999, 50, 0.3],
  ])(
    'lowers confidence %d after a gap of %d with evidence %d to %d',
    (confidence, gap, evidence, expected) => {
      expect(decayed(confidence, gap, evidence)).toBeCloseTo(expected, 10);
    },
  );

  it.each<[DecayDecision, Partial<Lesson>, 'stays' | 'decays' | 'is archived']>([
    ['RETAIN', {}, 'stays'],
    ['DECAY', {}, 'decays'],
    ['FORGET', {}, 'is archived'],
    ['FORGET', { pinned: true }, 'stays'],
    ['FORGET', { evidence: [{ quote: 'npm test' }] }, 'decays'],
    ['FORGET', { evidence: [{ quote: 'npm test' }], support: 1 }, 'is archived'],
  ])('%s of a lesson with %j: it %s', (decision, over, what) => {
    const change = applyDecision({ lesson: lesson(over), gap: 10 }, decision);
    expect(change === undefined ? 'stays' : change.forget === undefined ? 'decays' : 'is archived').toBe(
      what,
    );
  });

  it('forgets by rules only lessons contradicted more often than supported', () => {
    expect(decideByRules({ lesson: lesson({ contradiction: 2 }), gap: 9 })).toBe('FORGET');
    expect(decideByRules({ lesson: lesson({ contradiction: 2, support: 2 }), gap: 9 })).toBe('DECAY');
  });

  it('counts attempts since the last reinforcement, and ignores pinned lessons', () => {
    const times = [2, 3, 4, 5, 6, 7, 8].map((day) => `2026-01-0${day}T00:00:00.000Z`);
    const row = {
      at: '2026-01-03T12:00:00.000Z',
      action: 'support',
      lessonId: ID,
      text: '',
      reason: '',
    } as const;
    expect(fadingLessons([lesson()], [], times).map(({ gap }) => gap)).toEqual([7]);
    expect(fadingLessons([lesson()], [row], times).map(({ gap }) => gap)).toEqual([5]);
    expect(fadingLessons([lesson()], [{ ...row, action: 'decayed' }], times).map(({ gap }) => gap)).toEqual([
      7,
    ]);
    expect(fadingLessons([lesson()], [{ ...row, at: times[4]! }], times)).toEqual([]);
    expect(fadingLessons([lesson({ pinned: true })], [], times)).toEqual([]);
  });
});

describe('rewriteProblems', () => {
  const before =
    'The tests run with `npm test`. Totals are in src/total.js, and `roundUp` rounds them. Look at src/cart.js too.';
  it('accepts a rewrite that keeps the names and most of the length', () => {
    expect(rewriteProblems(before, before.replace('Look at', 'Then look at'))).toEqual([]);
  });

  it('rejects a vague rewrite of half the length', () => {
    const problems = rewriteProblems(before, 'This project has some tests that have to pass.');
    expect(problems.join(' ')).toMatch(/of the former length.*keeps 0 %/);
  });

  it('rejects a rewrite of the same length without the names', () => {
    const bland =
      'This repository is a fine one, and all of its tests should be run often and with care by whoever comes here next.';
    expect(rewriteProblems(before, bland)).toHaveLength(1);
  });

  it('rejects fewer than 30 characters, also for the first text', () => {
    expect(rewriteProblems('', 'Too short to be one.')[0]).toMatch(/20 characters; at least 30/);
    expect(rewriteProblems('', 'x'.repeat(30))).toEqual([]);
  });

  it('accepts exactly 60 %, and nothing below', () => {
    const five = '`aaa` `bbb` `ccc` `ddd` `eee`';
    expect(keptShare(five, '`aaa` `bbb` `ccc` and more words')).toBeCloseTo(0.6);
    expect(rewriteProblems(five, '`aaa` `bbb` `ccc` and more words')).toEqual([]);
    expect(rewriteProblems(five, '`aaa` `bbb` and many more words')).toHaveLength(1);
  });
});

describe('healthWarnings', () => {
  it('warns about a repetitive playbook', () => {
    expect(uniqueWordRatio('a a a b')).toBe(0.5);
    expect(healthWarnings('run the tests '.repeat(20))[0]).toContain('0.05');
    expect(healthWarnings('short short short')).toEqual([]);
  });
});

describe('renderPlaybook', () => {
  const slot = (id: string, text: string, over: Partial<PlaybookSlot> = {}): PlaybookSlot => ({
    ...{ lesson_id: `lesson-${id.repeat(12)}`, type: 'command', text, confidence: 0.5, pinned: false },
    ...over,
  });

  it('fills in slots, and appends lessons without a slot', () => {
    const slots = [
      slot('a', 'Run npm test.'),
      slot('b', 'Node 24 is needed.', { type: 'environment' }),
      slot('c', 'Never edit dist.', { pinned: true }),
    ];
    const text = renderPlaybook({ narrative: '# Playbook\n\nFirst: [[lesson-aaaaaaaaaaaa]]', slots });
    expect(text).toBe(
      '# Playbook\n\nFirst: Run npm test.\n\n## Pinned\n\n- Never edit dist.\n\n## Environment\n\n- Node 24 is needed.\n',
    );
  });

  it('removes slots of lessons that no longer exist', () => {
    expect(renderPlaybook({ narrative: 'Text.\n\n- [[lesson-dddddddddddd]]\n\nMore.', slots: [] })).toBe(
      '# Playbook\n\nText.\n\n\nMore.\n',
    );
  });
});

describe('rewriteByRules', () => {
  const insight = (text: string) => ({
    ...{ id: 'insight-0123456789ab', text, importance: 0.5, evidence: [], verified: true },
    created_at: '2026-01-01T00:00:00.000Z',
  });

  type Ruled = Parameters<typeof rewriteByRules>[0];
  const rewritten = (
    narrative: string,
    insights: Ruled['insights'],
    recent: Ruled['recent'] = [],
    hasFile: Ruled['hasFile'] = () => true,
  ): string => rewriteByRules({ narrative, insights, recent, hasFile });

  it('names no file that only an attempt had', async () => {
    const [sample] = await commitAll(temporaryFolder(), [{}]);
    const [error] = sample!.errors;
    const errors = ['test/a.test.js', 'test/mine.test.js'].map((file) => ({ ...error!, file }));
    const files = ['src/a.js', 'src/tried.js'];
    const recent = [{ ...sample!, errors, files, reward_change: 0.5 }];
    const hasFile = (file: string): boolean => file.includes('/a.');
    const text = rewritten('- Failures lay in `test/gone.test.js`.', [], recent, hasFile);
    expect(text).toContain('- Failures lay in `test/a.test.js`.');
    expect(text).toContain('- Changes that helped lay in `src/a.js`.');
    expect(rewritten('', [], recent)).toContain('`test/a.test.js`, `test/mine.test.js`.');
  });

  it('keeps the text, adds new insights, and is idempotent', () => {
    const first = rewritten('Mind the gap in src/gap.js.\n\n## Own notes\n\n- Keep me.', [
      insight('Totals are in src/total.js.'),
    ]);
    expect(first).toContain('Mind the gap in src/gap.js.');
    expect(first).toContain('- Keep me.');
    expect(first).toContain('- Totals are in src/total.js.');
    expect(rewritten(first, [insight('Totals are in `src/total.js`')])).toBe(first);
  });

  it('stays within the size limit and acceptable over many rewrites', async () => {
    const [sample] = await commitAll(temporaryFolder(), [{}]);
    let text = '';
    for (let round = 0; round < 30; round++) {
      const facts = Array.from({ length: 10 }, (_, n) =>
        insight(`Fact ${round * 10 + n} of src/a${round}x${n}.js ${'about the code '.repeat(25)}`),
      );
      const files = Array.from({ length: 12 }, (_, n) => `src/module-${round}/file-${n}.js`);
      const next = rewritten(text, facts, [{ ...sample!, files, reward_change: 0.5 }]);
      expect(rewriteProblems(text, next)).toEqual([]);
      text = next;
    }
    expect(text).toContain('src/module-29/file-0.js');
    expect(text).toContain('src/a29x9.js');
  });
});
