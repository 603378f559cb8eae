import { describe, expect, it } from 'vitest';
import { synthesiseInsights } from '../../../src/memory/passes/insights/pass.ts';
import { readInsights } from '../../../src/memory/passes/insights/store.ts';
import { FORGOTTEN_BY_USER } from '../../../src/memory/lessons/status-reasons.ts';
import { readObservations } from '../../../src/memory/passes/observe/store.ts';
import { createPasses, type PassesOptions } from '../../../src/memory/passes/loop-passes.ts';
import { consolidatePlaybook } from '../../../src/memory/passes/playbook/pass.ts';
import { readPlaybook } from '../../../src/memory/passes/playbook/store.ts';
import type { AttemptOutcome, LoopEnd } from '../../../src/ports/memory.ts';
import {
  attempt,
  candidate,
  hungAsk,
  lessonsIn,
  scriptedAsk,
  type AttemptScript,
  SHOP,
} from '../../support/memory.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const settings = {
  ...{ validateLessons: false, microReflection: true },
  insights: { recent: 20, capacity: 10, reflectEvery: 15, threshold: 0.5 },
};
const signal = new AbortController().signal;

function setUp(over: Partial<PassesOptions> = {}) {
  const root = temporaryFolder();
  writeFiles(root, SHOP);
  const warnings: string[] = [];
  const lessons = lessonsIn(root, () => new Date('2026-01-01T00:00:00.000Z'));
  const warn = (text: string): void => void warnings.push(text);
  const passes = createPasses({ repositoryRoot: root, lessons, settings, warn, ...over });
  return { root, warnings, lessons, passes };
}

function outcome(script: AttemptScript): AttemptOutcome {
  const { files, ...seen } = attempt(script);
  return {
    ...seen,
    changes: {
      files: files.map((path) => ({ path, kind: 'modified', linesAdded: 1, linesDeleted: 1 })),
      ...{ linesAdded: 1, linesDeleted: 1, patch: '' },
    },
    ...{ best: false, accepted: seen.evaluation.passed, signal },
  };
}

function end(status: LoopEnd['status'], attempts = 1): LoopEnd {
  return { loopId: 'ralph-shop-20260101-aaaaaa', task: 'make the cart tests pass', status, attempts, signal };
}

const INSIGHT = 'Round up in `computeTotal` of src/total.js.';

describe('createPasses', () => {
  it('reports the result of each pass', async () => {
    const told: string[] = [];
    const { passes } = setUp({
      settings: { ...settings, validateLessons: true },
      report: (pass, { status }) => void told.push(`${pass} ${status}`),
    });
    const first = outcome({ iteration: 1 });
    await passes.validate!([candidate('Be careful.')], {
      outcome: first,
      grounds: { kind: 'texts', texts: ['ran npm test'] },
    });
    await passes.afterAttempt!(first);
    await passes.atLoopEnd!(end('exhausted'));
    expect(told).toEqual(['validation ok', 'micro_reflection ok', 'digest noop', 'playbook skipped']);
  });

  it('learns without a model, from the first attempt to the playbook', async () => {
    const { root, passes, lessons, warnings } = setUp();
    for (let iteration = 1; iteration <= 20; iteration++)
      await passes.afterAttempt!(
        outcome({ iteration, ...(iteration === 20 && { after: [], files: ['src/total.js'] }) }),
      );
    await passes.atLoopEnd!(end('passed', 20));
    expect(await readObservations(root)).toHaveLength(20);
    expect((await readInsights(root)).reflected_through).toBeGreaterThanOrEqual(15);
    expect((await readPlaybook(root))!.version).toBe(1);
    expect((await lessons.list()).some(({ source }) => source.pass === 'micro')).toBe(true);
    expect(warnings).toEqual([]);
    const slots = await passes.slots!();
    expect(slots.playbook).toContain('# Playbook');
    expect(Buffer.byteLength(slots.playbook!)).toBeLessThanOrEqual(1200);
    expect(slots.insights.length).toBeGreaterThan(0);
    expect(slots.insights.every((text) => Buffer.byteLength(text) <= 200)).toBe(true);
  });

  it('returns no playbook and no insights from an empty memory', async () => {
    expect(await setUp().passes.slots!()).toEqual({ insights: [] });
  });

  it('stores attempts while a model hangs, ends in time, and leaves unfinished passes due', async () => {
    const { root, passes, warnings } = setUp({ ask: hungAsk, endTimeoutMs: 100 });
    for (let iteration = 1; iteration <= 16; iteration++) await passes.afterAttempt!(outcome({ iteration }));
    expect(await readObservations(root)).toHaveLength(16);
    await passes.atLoopEnd!(end('exhausted', 16));
    expect(await readInsights(root)).toMatchObject({ due: true, reflected_through: 0 });
    expect(warnings.join(' ')).toContain('Micro-reflection failed');
  });

  it('limits a micro-reflection during the loop by the same time limit', async () => {
    const { root, passes } = setUp({ ask: hungAsk, endTimeoutMs: 100 });
    await passes.afterAttempt!(outcome({ trajectory: { outcome: 'out_of_budget' } }));
    await passes.atLoopEnd!(end('exhausted'));
    expect(await readObservations(root)).toHaveLength(1);
  });

  it('asks no model and warns of nothing after the user has aborted the loop', async () => {
    const ask = scriptedAsk();
    const { passes, lessons, warnings } = setUp({ ask });
    await passes.afterAttempt!(outcome({ task: 'Never edit the vendored files.' }));
    await passes.atLoopEnd!({ ...end('aborted'), signal: AbortSignal.abort() });
    expect({ asked: ask.asked, warnings }).toEqual({ asked: [], warnings: [] });
    expect((await lessons.list()).map(({ text }) => text)).toContain('Never edit the vendored files.');
  });

  it('asks no model about a loop without failures', async () => {
    const ask = scriptedAsk();
    const { passes } = setUp({ ask });
    await passes.afterAttempt!(outcome({ after: [] }));
    await passes.atLoopEnd!(end('passed'));
    expect(ask.asked).toEqual([]);
  });

  it('reflects on a loop once, for every status', async () => {
    const phrases = new Map<LoopEnd['status'], string>([
      ['passed', 'A loop that passed'],
      ['stalled', 'without success'],
      ['aborted', 'that the user stopped'],
    ]);
    for (const [status, phrase] of phrases) {
      const ask = scriptedAsk({ facts: [] });
      const { passes } = setUp({ ask });
      await passes.afterAttempt!(outcome({}));
      await passes.atLoopEnd!(end(status));
      expect(ask.asked.map(({ prompt }) => prompt.includes(phrase))).toEqual([true]);
    }
  });

  it('includes the attempts before a resume', async () => {
    const { root, lessons, passes } = setUp();
    await passes.afterAttempt!(outcome({ task: 'Never edit the vendored files.' }));
    const ask = scriptedAsk({ facts: [] });
    const resumed = createPasses({ repositoryRoot: root, lessons, ask, settings, warn: () => {} });
    await resumed.afterAttempt!(outcome({ iteration: 2, task: 'Never edit the vendored files.' }));
    await resumed.atLoopEnd!(end('stalled', 2));
    expect(ask.asked[0]!.prompt).toContain('- user: Never edit the vendored files.');
    expect(ask.asked[0]!.prompt.match(/^- checks: failed, reward/gm)).toHaveLength(2);
  });

  it('uses a given importance scorer', async () => {
    const { root, passes } = setUp({ score: () => 0.123 });
    await passes.afterAttempt!(outcome({}));
    expect((await readObservations(root))[0]!.importance).toBe(0.123);
  });

  it('reflects at once on an attempt whose actor ran out of its budget', async () => {
    const ask = scriptedAsk({ facts: [] });
    const { passes } = setUp({ ask });
    await passes.afterAttempt!(outcome({ trajectory: { outcome: 'out_of_budget' } }));
    await passes.atLoopEnd!(end('stalled'));
    expect(ask.asked).toHaveLength(1);
    expect(ask.asked[0]!.prompt).toContain('running out of its budget');
  });

  it('reflects on entries that have outgrown the window', async () => {
    const actions = Array.from({ length: 60 }, (_, n) => ({
      ...({ type: 'command_execution', description: `step ${n}` } as const),
      command: `npm run step-${n}`,
    }));
    const ask = scriptedAsk({ facts: [] }, { facts: [] });
    const { passes } = setUp({ ask });
    await passes.afterAttempt!(outcome({ trajectory: { actions } }));
    await passes.atLoopEnd!(end('stalled'));
    expect(ask.asked.map(({ prompt }) => prompt.split('\n')[0])).toEqual([
      '# A part of a loop that is about to be left out',
      '# A loop that ended without success',
    ]);
  });
});

describe('a lesson that the user archived', () => {
  it('is no longer shown in the playbook or as an insight', async () => {
    const { root, passes, lessons } = setUp();
    const ask = scriptedAsk({ insights: [{ insight: INSIGHT, importance: 1, attempts: [1] }] });
    const [stated] = await lessons.admit([candidate('Totals are whole numbers.')], { kind: 'stated' });
    await passes.afterAttempt!(outcome({ iteration: 1 }));
    await synthesiseInsights(
      { repositoryRoot: root, settings: settings.insights, manual: true },
      lessons,
      ask,
    );
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, lessons);
    const before = await passes.slots!();
    expect(before.playbook).toContain(INSIGHT);
    expect(before).toMatchObject({
      insights: [`Not checked: ${INSIGHT}`],
      playbook: expect.stringContaining('whole') as string,
    });

    const learned = (await lessons.list()).find(({ text }) => text === INSIGHT)!;
    for (const id of [stated!.lesson!.id, learned.id]) await lessons.archive(id, `${FORGOTTEN_BY_USER}.`);
    const after = await passes.slots!();
    expect(after.insights).toEqual([]);
    expect(after.playbook).not.toMatch(/whole|Round up/);
    await consolidatePlaybook({ repositoryRoot: root, manual: true }, lessons);
    expect((await readPlaybook(root))!.narrative).not.toContain('Round up');
  });
});

describe('validate', () => {
  const drafts = [candidate('Be careful.')];
  const about = { outcome: outcome({}), grounds: { kind: 'texts', texts: ['ran npm test'] } } as const;

  it('is off by default', async () => {
    expect(await setUp().passes.validate!(drafts, about)).toBe(drafts);
    const on = setUp({ settings: { ...settings, validateLessons: true } });
    expect(await on.passes.validate!(drafts, about)).toEqual([]);
  });

  it('keeps all drafts and warns when the model fails', async () => {
    const ask = scriptedAsk({ failed: 'no key' });
    const { passes, warnings } = setUp({ ask, settings: { ...settings, validateLessons: true } });
    expect(await passes.validate!(drafts, about)).toBe(drafts);
    expect(warnings).toEqual(['The validation of lessons failed: no key']);
  });
});
