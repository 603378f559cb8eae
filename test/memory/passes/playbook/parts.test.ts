import { describe, expect, it } from 'vitest';
import { keptShare, rewriteProblems } from '../../../../src/memory/passes/playbook/check-rewrite.ts';
import {
  applyDecision,
  decayed,
  decideByRules,
  fadingLessons,
  type DecayDecision,
} from '../../../../src/memory/passes/playbook/decay.ts';
import { openGate } from '../../../../src/memory/passes/playbook/gate.ts';
import { healthWarnings, uniqueWordRatio } from '../../../../src/memory/passes/playbook/health.ts';
import { renderPlaybook } from '../../../../src/memory/passes/playbook/render.ts';
import { rewriteByRules } from '../../../../src/memory/passes/playbook/rewrite-rules.ts';
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

describe('the gate of the playbook', () => {
  const quiet = { lastSeq: 0, shifted: false, pendingInsights: 0, stagedLessons: 0 };
  const busy = { lastSeq: 0, shifted: true, pendingInsights: 3, stagedLessons: 2 };
  it.each([
    ['nothing within ten attempts, whatever happens', { ...busy, seq: 9 }, 'cooldown'],
    ['an event after ten', { ...busy, seq: 10 }, 'event'],
    ['no event without a shift', { ...busy, shifted: false, seq: 19 }, 'not_due'],
    ['no event where nothing waits', { ...busy, pendingInsights: 0, stagedLessons: 0, seq: 19 }, 'not_due'],
    ['an event for staged lessons alone', { ...busy, pendingInsights: 0, seq: 12 }, 'event'],
    ['nothing before twenty where all is quiet', { ...quiet, seq: 19 }, 'not_due'],
    ['the period after twenty', { ...quiet, seq: 20 }, 'periodic'],
    ['counting from the last one', { ...quiet, lastSeq: 20, seq: 39 }, 'not_due'],
    ['a cooldown from the last one', { ...busy, lastSeq: 20, seq: 29 }, 'cooldown'],
  ])('lets through %s', (_, state, expected) => {
    const verdict = openGate(state);
    expect(verdict.open ? verdict.trigger : verdict.reason).toBe(expected);
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
    'of confidence %d after a gap of %d with %d pieces of evidence gives %d',
    (confidence, gap, evidence, expected) => {
      expect(decayed(confidence, gap, evidence)).toBeCloseTo(expected, 10);
    },
  );

  it.each<[DecayDecision, Partial<Lesson>, 'stays' | 'fades' | 'goes']>([
    ['RETAIN', {}, 'stays'],
    ['DECAY', {}, 'fades'],
    ['FORGET', {}, 'goes'],
    ['FORGET', { pinned: true }, 'stays'],
    ['FORGET', { evidence: [{ quote: 'npm test' }] }, 'fades'],
    ['FORGET', { evidence: [{ quote: 'npm test' }], support: 1 }, 'goes'],
  ])('%s of a lesson with %j: it %s', (decision, over, what) => {
    const change = applyDecision({ lesson: lesson(over), gap: 10 }, decision);
    expect(change === undefined ? 'stays' : change.forget === undefined ? 'fades' : 'goes').toBe(what);
  });

  it('without a model forgets only what was contradicted more than supported', () => {
    expect(decideByRules({ lesson: lesson({ contradiction: 2 }), gap: 9 })).toBe('FORGET');
    expect(decideByRules({ lesson: lesson({ contradiction: 2, support: 2 }), gap: 9 })).toBe('DECAY');
  });

  it('counts the attempts since a lesson was last reinforced, and spares pinned ones', () => {
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

describe('the check of a rewrite', () => {
  const before =
    'The tests run with `npm test`. Totals are in src/total.js, and `roundUp` rounds them. Look at src/cart.js too.';
  it('takes one that keeps what is named and most of the length', () => {
    expect(rewriteProblems(before, before.replace('Look at', 'Then look at'))).toEqual([]);
  });

  it('refuses a bland one of half the length', () => {
    const problems = rewriteProblems(before, 'This project has some tests that have to pass.');
    expect(problems.join(' ')).toMatch(/as long as what it replaces.*keeps 0 %/);
  });

  it('refuses one of the same length that has lost its names', () => {
    const bland =
      'This repository is a fine one, and all of its tests should be run often and with care by whoever comes here next.';
    expect(rewriteProblems(before, bland)).toHaveLength(1);
  });

  it('refuses one of fewer than thirty characters, also the first', () => {
    expect(rewriteProblems('', 'Too short to be one.')[0]).toMatch(/20 characters; at least 30/);
    expect(rewriteProblems('', 'x'.repeat(30))).toEqual([]);
  });

  it('holds to six tenths, no less', () => {
    const five = '`aaa` `bbb` `ccc` `ddd` `eee`';
    expect(keptShare(five, '`aaa` `bbb` `ccc` and more words')).toBeCloseTo(0.6);
    expect(rewriteProblems(five, '`aaa` `bbb` `ccc` and more words')).toEqual([]);
    expect(rewriteProblems(five, '`aaa` `bbb` and many more words')).toHaveLength(1);
  });
});

describe('the health of a playbook', () => {
  it('warns where it says the same again and again', () => {
    expect(uniqueWordRatio('a a a b')).toBe(0.5);
    expect(healthWarnings('run the tests '.repeat(20))[0]).toContain('0.05');
    expect(healthWarnings('short short short')).toEqual([]);
  });
});

describe('slots', () => {
  const slot = (id: string, text: string, over: Partial<PlaybookSlot> = {}): PlaybookSlot => ({
    ...{ lesson_id: `lesson-${id.repeat(12)}`, type: 'command', text, confidence: 0.5, pinned: false },
    ...over,
  });

  it('are filled in where the text names them, and printed behind it where it does not', () => {
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

  it('of lessons that are gone leave no trace', () => {
    expect(renderPlaybook({ narrative: 'Text.\n\n- [[lesson-dddddddddddd]]\n\nMore.', slots: [] })).toBe(
      '# Playbook\n\nText.\n\n\nMore.\n',
    );
  });
});

describe('a rewrite without a model', () => {
  const insight = (text: string) => ({
    ...{ id: 'insight-0123456789ab', text, importance: 0.5, evidence: [], verified: true },
    created_at: '2026-01-01T00:00:00.000Z',
  });

  it('keeps what is there, adds what is new, and is the same when it is done again', () => {
    const first = rewriteByRules(
      'Mind the gap in src/gap.js.\n\n## Own notes\n\n- Keep me.',
      [insight('Totals are in src/total.js.')],
      [],
    );
    expect(first).toContain('Mind the gap in src/gap.js.');
    expect(first).toContain('- Keep me.');
    expect(first).toContain('- Totals are in src/total.js.');
    expect(rewriteByRules(first, [insight('Totals are in `src/total.js`')], [])).toBe(first);
  });

  it('stays within its bounds, and passes the check of a rewrite, however long it goes on', async () => {
    const [sample] = await commitAll(temporaryFolder(), [{}]);
    let text = '';
    for (let round = 0; round < 30; round++) {
      const facts = Array.from({ length: 10 }, (_, n) =>
        insight(`Fact ${round * 10 + n} of src/a${round}x${n}.js ${'about the code '.repeat(25)}`),
      );
      const files = Array.from({ length: 12 }, (_, n) => `src/module-${round}/file-${n}.js`);
      const next = rewriteByRules(text, facts, [{ ...sample!, files, reward_change: 0.5 }]);
      expect(rewriteProblems(text, next)).toEqual([]);
      text = next;
    }
    expect(text).toContain('src/module-29/file-0.js');
    expect(text).toContain('src/a29x9.js');
  });
});
