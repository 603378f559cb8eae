import { describe, expect, it } from 'vitest';
import { nextSteps, type Ended } from '../../../src/report/end/next-steps.ts';
import type { Verdict } from '../../../src/schema/generated.ts';

const ID = 'ralph-x-20260101-abcdef';

const VERDICT: Verdict = {
  ...{ loop_id: ID, status: 'exhausted', verified: false, reason: '', reward: 0.5, baseline_reward: 0.5 },
  ...{ best_iteration: null, iterations: 2, attempts: [], checks: [], reflections: [], patch: null },
  usage: { input_tokens: 900, output_tokens: 100, cached_input_tokens: 0, cost_usd: 0.5 },
  ...{ applied: 'none', duration_ms: 60_000 },
};

function commands(verdict: Partial<Verdict>, over: Partial<Ended> = {}): string[] {
  const rest = { limits: {}, maxIterations: 5, actor: 'command', hasResult: false };
  const ended = { ...rest, ...over, verdict: { ...VERDICT, ...verdict } };
  return nextSteps(ended).map(({ command }) => command);
}

const PASSED = { status: 'passed', verified: true } as const;

describe('nextSteps', () => {
  it.each([
    ['applied', { ...PASSED, applied: 'tree' }, {}, ['git diff', `ralph undo ${ID}`]],
    ['committed', { ...PASSED, applied: 'commit' }, {}, ['git show', 'git revert HEAD']],
    [
      'kept as a branch',
      { ...PASSED, applied: 'branch', branch: 'ralph/b' },
      {},
      ['git diff HEAD...ralph/b', 'git merge ralph/b', `ralph undo ${ID}`],
    ],
    [
      'nothing to do',
      { status: 'nothing_to_do', verified: true },
      {},
      ['ralph run "what to build" --model provider/model'],
    ],
    ['attempts used up, nothing gained', {}, {}, [`ralph resume ${ID} --max-iterations 10`]],
    [
      'attempts used up, something gained and learned',
      { reflections: ['001.json'] },
      { hasResult: true },
      [`ralph resume ${ID} --max-iterations 10`, `ralph apply ${ID}`, `ralph reflections show ${ID}`],
    ],
    [
      'stalled without a model',
      { status: 'stalled' },
      { actor: 'search' },
      ['ralph run --model provider/model'],
    ],
    ['stalled otherwise', { status: 'stalled' }, {}, []],
    ['stopped', { status: 'aborted' }, {}, [`ralph resume ${ID}`]],
    [
      'an error of the actor',
      { status: 'error' },
      { hasResult: true },
      [`ralph resume ${ID}`, `ralph apply ${ID}`],
    ],
    ['time used up', { status: 'budget' }, { limits: { maxTimeMs: 60_000 } }, [`ralph resume ${ID}`]],
    [
      'money used up',
      { status: 'budget' },
      { limits: { maxCostUsd: 0.5, maxTokens: 5000 } },
      [`ralph resume ${ID} --max-cost 1`],
    ],
    [
      'tokens used up',
      { status: 'budget' },
      { limits: { maxCostUsd: 5, maxTokens: 1000 } },
      [`ralph resume ${ID} --max-tokens 2000`],
    ],
    [
      'a call that could have gone beyond either',
      { status: 'budget' },
      { limits: { maxCostUsd: 0.6, maxTokens: 1100 } },
      [`ralph resume ${ID} --max-cost 1.2 --max-tokens 2200`],
    ],
    ['one evaluation', { status: 'failed', loop_id: null }, {}, []],
  ] as const)('%s', (_name, verdict, over, expected) => {
    expect(commands(verdict as Partial<Verdict>, over)).toEqual(expected);
  });
});
