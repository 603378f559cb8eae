import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decide, type CiState } from '../../../src/ci/github/decide.ts';
import type { CiSettings, SkipReason } from '../../../src/ci/github/rules.ts';
import { parseEvent, type CiEvent, type PullFacts } from '../../../src/ci/github/event.ts';
import { claimTry, EMPTY_LEDGER, notePushed } from '../../../src/ci/github/ledger.ts';
import type { CiLedger, CiTry } from '../../../src/schema/generated.ts';
import {
  commentPayload,
  dispatchPayload,
  FORK,
  labelPayload,
  pushPayload,
  schedulePayload,
  workflowRunPayload,
} from '../../support/github/payloads.ts';

const HEAD = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const NOW = new Date('2026-11-22T12:00:00Z');

const SETTINGS: CiSettings = {
  ...{ label: 'ralph', optOutLabel: 'no-ralph', maxTries: 3 },
  ...{ branchPrefix: 'ralph/fix-', memoryBranch: 'ralph/memory', workflow: 'ralph', lockMs: 7_200_000 },
  ...{ maxCostUsd: undefined, maxCostPerDayUsd: undefined, maxCostPerMonthUsd: undefined },
};
const STATE: CiState = {
  now: NOW,
  ledger: EMPTY_LEDGER,
  head: HEAD,
  pulls: [],
  permission: undefined,
  rejected: false,
};
const PULL: PullFacts = {
  number: 7,
  open: true,
  labels: ['ralph'],
  branch: 'rounding',
  head: HEAD,
  fork: false,
};

function eventOf(name: string, payload: object, ref = 'refs/heads/main'): CiEvent {
  const event = parseEvent(payload, { name, repository: 'octo-org/shop', ref });
  if (typeof event === 'string') throw new Error(event);
  return event;
}

function tried(change: Partial<CiTry> = {}): CiTry {
  return {
    ...{
      id: `run-${Math.random().toString(36).slice(2)}`,
      branch: 'main',
      head: HEAD,
      trigger: 'workflow_run',
    },
    ...{ state: 'unverified', started_at: '2026-11-22T08:00:00Z', reserved_usd: 1, cost_usd: 0.4 },
    ...change,
  };
}

function ledgerWith(...tries: CiTry[]): CiLedger {
  return tries.reduce(claimTry, EMPTY_LEDGER);
}

const run = (change: Record<string, unknown> = {}): CiEvent =>
  eventOf('workflow_run', workflowRunPayload(HEAD, change));
const label = (change: Parameters<typeof labelPayload>[1] = {}): CiEvent =>
  eventOf('pull_request', labelPayload(HEAD, change));
const comment = (body: string, change: Parameters<typeof commentPayload>[1] = {}): CiEvent =>
  eventOf('issue_comment', commentPayload(body, change));

type Row = readonly [what: string, event: CiEvent, state?: Partial<CiState>, settings?: Partial<CiSettings>];

const withPull = (change: Partial<PullFacts> = {}): Partial<CiState> => ({ pulls: [{ ...PULL, ...change }] });
const byWriter = { ...withPull(), permission: 'write' };

const RUNS: readonly (readonly [...Row, expected: object])[] = [
  [
    'a failed workflow run',
    run(),
    {},
    {},
    { trigger: 'workflow_run', branch: 'main', head: HEAD, number: 1, pull: undefined },
  ],
  ['a run that timed out', run({ conclusion: 'timed_out' }), {}, {}, { branch: 'main' }],
  [
    'the label, set by somebody who may',
    label(),
    withPull(),
    {},
    { trigger: 'label', branch: 'rounding', pull: 7 },
  ],
  [
    'a comment of a writer',
    comment('/ralph fix'),
    byWriter,
    {},
    { trigger: 'comment', branch: 'rounding', pull: 7, task: undefined },
  ],
  [
    'a comment with a task, below other words',
    comment('Thanks!\n\n/ralph fix round half up  \nbye'),
    byWriter,
    {},
    { task: 'round half up' },
  ],
  [
    'a comment of a maintainer',
    comment('/ralph fix'),
    { ...byWriter, permission: 'maintain' },
    {},
    { pull: 7 },
  ],
  [
    'a schedule',
    eventOf('schedule', schedulePayload()),
    {},
    {},
    { trigger: 'schedule', branch: 'main', head: HEAD },
  ],
  [
    'a dispatch',
    eventOf('workflow_dispatch', dispatchPayload()),
    {},
    {},
    { trigger: 'dispatch', branch: 'main' },
  ],
  [
    'a dispatch for a branch, with a task',
    eventOf('workflow_dispatch', dispatchPayload({ branch: 'next', task: 'round' })),
    {},
    {},
    { branch: 'next', task: 'round' },
  ],
  [
    'a branch that was named by hand',
    { kind: 'manual', branch: 'next', task: undefined },
    {},
    {},
    { trigger: 'manual', branch: 'next' },
  ],
  ['a second try at the commit', run(), { ledger: ledgerWith(tried()) }, {}, { number: 2 }],
  [
    'tries at another commit, used up',
    run(),
    { ledger: ledgerWith(...[1, 2, 3].map(() => tried({ head: OTHER }))) },
    {},
    { number: 1 },
  ],
  [
    'tries at another branch, used up',
    run(),
    { ledger: ledgerWith(...[1, 2, 3].map(() => tried({ branch: 'next' }))) },
    {},
    { number: 1 },
  ],
  [
    'a try that died long ago',
    run(),
    { ledger: ledgerWith(tried({ state: 'running', started_at: '2026-11-22T09:59:59Z' })) },
    {},
    { number: 2 },
  ],
  [
    'a try on another branch',
    run(),
    { ledger: ledgerWith(tried({ state: 'running', branch: 'next', started_at: '2026-11-22T11:59:00Z' })) },
    {},
    { number: 1 },
  ],
  [
    'what is left of the day is enough',
    run(),
    { ledger: ledgerWith(tried({ head: OTHER })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.4 },
    { number: 1 },
  ],
  [
    'yesterday is not today',
    run(),
    { ledger: ledgerWith(tried({ started_at: '2026-11-21T23:59:59Z', cost_usd: 9 })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1 },
    { number: 2 },
  ],
  [
    'last month is not this one',
    run(),
    { ledger: ledgerWith(tried({ started_at: '2026-10-31T23:59:59Z', cost_usd: 9 })) },
    { maxCostUsd: 1, maxCostPerMonthUsd: 1 },
    { number: 2 },
  ],
  [
    'a fix of an earlier commit was closed',
    run(),
    { rejected: true, ledger: notePushed(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: OTHER }) },
    {},
    { number: 1 },
  ],
  [
    'the opt-out on a pull request that is closed',
    run(),
    { pulls: [{ ...PULL, branch: 'main', open: false, labels: ['no-ralph'] }] },
    {},
    { number: 1 },
  ],
];

const SKIPS: readonly (readonly [...Row, reason: SkipReason])[] = [
  ['a push', eventOf('push', pushPayload(HEAD)), {}, {}, 'unsupported_event'],
  [
    'a pull request that was opened',
    eventOf('pull_request', { action: 'opened' }),
    {},
    {},
    'unsupported_event',
  ],
  ['a run that passed', run({ conclusion: 'success' }), {}, {}, 'not_failing'],
  ['a run that was cancelled', run({ conclusion: 'cancelled' }), {}, {}, 'not_failing'],
  ['a run without a conclusion', run({ conclusion: null }), {}, {}, 'not_failing'],
  ['a run of this very workflow', run({ name: 'ralph' }), {}, {}, 'own_workflow'],
  ['a run of a fork', run({ head_repository: { full_name: FORK } }), {}, {}, 'fork'],
  ['a run of a fork that was deleted', run({ head_repository: null }), {}, {}, 'fork'],
  ["a run of ralph's own branch", run({ head_branch: 'ralph/fix-main' }), {}, {}, 'own_branch'],
  ['a run of the memory branch', run({ head_branch: 'ralph/memory' }), {}, {}, 'own_branch'],
  [
    "a run of ralph's own commit, merged",
    run({ head_commit: { message: 'ralph: fix main\n\nRalph-Loop: ralph-x-20261122-abc123\n' } }),
    {},
    {},
    'own_push',
  ],
  ['a run of a tag', run({ head_branch: null }), {}, {}, 'no_branch'],
  ['a branch that is gone', run(), { head: undefined }, {}, 'branch_gone'],
  ['a branch that has moved on', run(), { head: OTHER }, {}, 'head_moved'],
  ['another label', label({ label: 'bug' }), withPull(), {}, 'other_label'],
  ['the label taken off', label({ action: 'unlabeled' }), withPull(), {}, 'other_action'],
  ['the label taken off since', label(), withPull({ labels: [] }), {}, 'label_removed'],
  [
    'a pull request from a fork',
    label({ pull: { head: { ref: 'rounding', sha: HEAD, repo: { full_name: FORK } } } }),
    withPull(),
    {},
    'fork',
  ],
  ['a pull request that turns out to be from a fork', label(), withPull({ fork: true }), {}, 'fork'],
  ['a pull request that was closed', label(), withPull({ open: false }), {}, 'closed'],
  ['a pull request that is not there', label(), {}, {}, 'closed'],
  [
    "ralph's own pull request",
    label({ pull: { head: { ref: 'ralph/fix-main', sha: HEAD, repo: { full_name: 'octo-org/shop' } } } }),
    withPull({ branch: 'ralph/fix-main' }),
    {},
    'own_branch',
  ],
  ['the opt-out beside the label', label(), withPull({ labels: ['ralph', 'no-ralph'] }), {}, 'opted_out'],
  [
    'the opt-out on the pull request of a failing branch',
    run(),
    { pulls: [{ ...PULL, branch: 'main', labels: ['no-ralph'] }] },
    {},
    'opted_out',
  ],
  ['a comment that says something else', comment('/ralphfix'), byWriter, {}, 'no_command'],
  ['the command in the middle of a line', comment('please /ralph fix'), byWriter, {}, 'no_command'],
  ['a comment that was edited', comment('/ralph fix', { action: 'edited' }), byWriter, {}, 'other_action'],
  [
    'a comment of a bot',
    comment('/ralph fix', { comment: { user: { login: 'x[bot]', type: 'Bot' } } }),
    byWriter,
    {},
    'bot',
  ],
  [
    'a comment on an issue',
    comment('/ralph fix', { issue: { pull_request: undefined } }),
    byWriter,
    {},
    'no_pull_request',
  ],
  [
    'a comment of a stranger',
    comment('/ralph fix', { comment: { author_association: 'NONE' } }),
    byWriter,
    {},
    'no_permission',
  ],
  [
    'a comment of somebody who contributed once',
    comment('/ralph fix', { comment: { author_association: 'CONTRIBUTOR' } }),
    byWriter,
    {},
    'no_permission',
  ],
  [
    'a comment of a member who may only read',
    comment('/ralph fix'),
    { ...withPull(), permission: 'read' },
    {},
    'no_permission',
  ],
  ['a comment whose author nobody knows', comment('/ralph fix'), withPull(), {}, 'no_permission'],
  [
    "a comment on a fork's pull request",
    comment('/ralph fix'),
    { ...withPull({ fork: true }), permission: 'write' },
    {},
    'fork',
  ],
  [
    "a comment on ralph's own pull request",
    comment('/ralph fix'),
    { ...withPull({ branch: 'ralph/fix-main' }), permission: 'write' },
    {},
    'own_branch',
  ],
  ['a schedule on a tag', eventOf('schedule', schedulePayload(), 'refs/tags/v1'), {}, {}, 'no_branch'],
  [
    'a dispatch for the memory branch',
    eventOf('workflow_dispatch', dispatchPayload({ branch: 'ralph/memory' })),
    {},
    {},
    'own_branch',
  ],
  ['tries used up', run(), { ledger: ledgerWith(tried(), tried(), tried()) }, {}, 'tries_used'],
  [
    'tries used up by jobs that died',
    run(),
    {
      ledger: ledgerWith(
        ...[1, 2, 3].map(() => tried({ state: 'running', started_at: '2026-11-20T08:00:00Z' })),
      ),
    },
    {},
    'tries_used',
  ],
  [
    'a try that works on the branch',
    run(),
    { ledger: ledgerWith(tried({ state: 'running', started_at: '2026-11-22T11:00:00Z' })) },
    {},
    'locked',
  ],
  [
    'a fix of this commit that was closed',
    run(),
    { rejected: true, ledger: notePushed(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: HEAD }) },
    {},
    'rejected',
  ],
  [
    'the budget of the day, spent',
    run(),
    { ledger: ledgerWith(tried({ head: OTHER })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.39 },
    'budget_day',
  ],
  [
    'the budget of the day, reserved',
    run(),
    { ledger: ledgerWith(tried({ branch: 'next', state: 'running', cost_usd: undefined })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.9 },
    'budget_day',
  ],
  [
    'the budget of the month, spent',
    run(),
    { ledger: ledgerWith(tried({ started_at: '2026-11-02T08:00:00Z', cost_usd: 9.5 })) },
    { maxCostUsd: 1, maxCostPerMonthUsd: 10 },
    'budget_month',
  ],
];

describe('an event is acted on', () => {
  test.each(RUNS)('%s', (_, event, state, settings, expected) => {
    expect(decide(event, { ...SETTINGS, ...settings }, { ...STATE, ...state })).toMatchObject({
      kind: 'run',
      ...expected,
    });
  });
});

describe('an event is left alone, with the rule by which', () => {
  test.each(SKIPS)('%s', (_, event, state, settings, reason) => {
    const decision = decide(event, { ...SETTINGS, ...settings }, { ...STATE, ...state });
    expect(decision).toMatchObject({ kind: 'skip', reason });
    expect((decision as { text: string }).text).toMatch(/^\S.*\.$/);
  });

  test('every rule has a row here, and one in the documentation', () => {
    const known: Record<SkipReason, true> = {
      ...{
        unsupported_event: true,
        other_action: true,
        other_label: true,
        label_removed: true,
        not_failing: true,
      },
      ...{ own_workflow: true, own_branch: true, own_push: true, fork: true, bot: true, no_command: true },
      ...{ no_pull_request: true, no_permission: true, no_branch: true, branch_gone: true, head_moved: true },
      ...{ closed: true, opted_out: true, locked: true, tries_used: true, rejected: true },
      ...{ budget_day: true, budget_month: true },
    };
    expect(new Set(SKIPS.map((row) => row[4]))).toEqual(new Set(Object.keys(known)));
    const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/ci.md'), 'utf8');
    const told = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, rule]) => rule!);
    expect(new Set(told.filter((rule) => rule in known || rule.includes('_')))).toEqual(
      new Set(Object.keys(known)),
    );
  });
});
