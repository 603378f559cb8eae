import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEvent, type CiEvent, type PullFacts } from '../../../src/ci/github/event.ts';
import { decidePlan, type CiState } from '../../../src/ci/rules/decide-plan.ts';
import { claimTry, EMPTY_LEDGER, recordPush } from '../../../src/ci/rules/ledger.ts';
import type { SkipReason } from '../../../src/ci/rules/skip.ts';
import { CI_DEFAULTS, type CiSettings } from '../../../src/ci/settings.ts';
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
  ...CI_DEFAULTS,
  workflow: 'ralph',
  workflowPath: '.github/workflows/ralph.yml',
  maxCostUsd: undefined,
  maxCostPerDayUsd: undefined,
  maxCostPerMonthUsd: undefined,
};
const STATE: CiState = {
  now: NOW,
  ledger: EMPTY_LEDGER,
  head: HEAD,
  pulls: [],
  permission: undefined,
  fixTip: undefined,
  isTag: false,
  rejected: false,
  failing: undefined,
};
const PULL: PullFacts = {
  number: 7,
  open: true,
  labels: ['ralph'],
  branch: 'rounding',
  head: HEAD,
  fork: false,
  bot: false,
};

function parsed(name: string, payload: object, ref = 'refs/heads/main'): CiEvent {
  const event = parseEvent(payload, { name, repository: 'octo-org/shop', ref });
  if (typeof event === 'string') throw new Error(event);
  return event;
}

function tryAt(change: Partial<CiTry> = {}): CiTry {
  return {
    id: `run-${Math.random().toString(36).slice(2)}`,
    branch: 'main',
    head: HEAD,
    trigger: 'workflow_run',
    state: 'unverified',
    started_at: '2026-11-22T08:00:00Z',
    reserved_usd: 1,
    cost_usd: 0.4,
    ...change,
  };
}

function ledgerOf(...tries: CiTry[]): CiLedger {
  return tries.reduce(claimTry, EMPTY_LEDGER);
}

const run = (change: Record<string, unknown> = {}): CiEvent =>
  parsed('workflow_run', workflowRunPayload(HEAD, change));
const label = (change: Parameters<typeof labelPayload>[1] = {}): CiEvent =>
  parsed('pull_request', labelPayload(HEAD, change));
const comment = (body: string, change: Parameters<typeof commentPayload>[1] = {}): CiEvent =>
  parsed('issue_comment', commentPayload(body, change));

const retry = (id: string): CiEvent =>
  parsed('workflow_dispatch', dispatchPayload({ branch: 'other', retry: id }));

type Row = readonly [title: string, event: CiEvent, state?: Partial<CiState>, settings?: Partial<CiSettings>];

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
  [
    'a failed run on the default branch after the merge of a bot',
    run({ actor: { login: 'github-merge-queue[bot]', type: 'Bot' } }),
    {},
    {},
    { branch: 'main' },
  ],
  ['a run that timed out', run({ conclusion: 'timed_out' }), {}, {}, { branch: 'main' }],
  [
    'the label on an open pull request',
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
    'a comment with a task between other text',
    comment('Thanks!\r\n\r\n/ralph fix round half up  \r\nbye'),
    byWriter,
    {},
    { task: 'round half up' },
  ],
  [
    'a comment of an administrator',
    comment('/ralph fix'),
    { ...byWriter, permission: 'admin' },
    {},
    { pull: 7 },
  ],
  [
    'a schedule',
    parsed('schedule', schedulePayload()),
    {},
    {},
    { trigger: 'schedule', branch: 'main', head: HEAD },
  ],
  [
    'a dispatch',
    parsed('workflow_dispatch', dispatchPayload()),
    {},
    {},
    { trigger: 'dispatch', branch: 'main' },
  ],
  [
    'a dispatch for a branch, with a task',
    parsed('workflow_dispatch', dispatchPayload({ branch: 'next', task: 'round' })),
    {},
    {},
    { branch: 'next', task: 'round' },
  ],
  [
    'a branch given by --branch',
    { kind: 'manual', branch: 'next', task: undefined },
    {},
    {},
    { trigger: 'manual', branch: 'next' },
  ],
  [
    'a retry, which takes over the task and needs no second permission',
    retry('1-1'),
    { ledger: ledgerOf(tryAt({ id: '1-1', trigger: 'comment', pull: 7, task: 'round' })), ...withPull() },
    {},
    { trigger: 'comment', branch: 'main', pull: 7, task: 'round', number: 2 },
  ],
  [
    'a dispatch for a pull request with the label',
    parsed('workflow_dispatch', dispatchPayload({ branch: 'rounding', pull: '7' })),
    withPull(),
    {},
    { trigger: 'dispatch', pull: 7, labelled: true },
  ],
  [
    'the label on the pull request of a bot',
    label(),
    withPull({ bot: true }),
    {},
    { trigger: 'label', labelled: true },
  ],
  [
    'a schedule where a workflow fails',
    parsed('schedule', schedulePayload()),
    { failing: true },
    {},
    { branch: 'main' },
  ],
  ['a second try at the commit', run(), { ledger: ledgerOf(tryAt()) }, {}, { number: 2 }],
  [
    'three tries at another commit',
    run(),
    { ledger: ledgerOf(...[1, 2, 3].map(() => tryAt({ head: OTHER }))) },
    {},
    { number: 1 },
  ],
  [
    'three tries at another branch',
    run(),
    { ledger: ledgerOf(...[1, 2, 3].map(() => tryAt({ branch: 'next' }))) },
    {},
    { number: 1 },
  ],
  [
    'a try that started before the lock timeout',
    run(),
    { ledger: ledgerOf(tryAt({ state: 'running', started_at: '2026-11-22T09:59:59Z' })) },
    {},
    { number: 2 },
  ],
  [
    'a running try on another branch',
    run(),
    { ledger: ledgerOf(tryAt({ state: 'running', branch: 'next', started_at: '2026-11-22T11:59:00Z' })) },
    {},
    { number: 1 },
  ],
  [
    'a try that fits the rest of the daily budget',
    run(),
    { ledger: ledgerOf(tryAt({ head: OTHER })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.4 },
    { number: 1 },
  ],
  [
    'cost of yesterday with a daily budget',
    run(),
    { ledger: ledgerOf(tryAt({ started_at: '2026-11-21T23:59:59Z', cost_usd: 9 })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1 },
    { number: 2 },
  ],
  [
    'cost of last month with a monthly budget',
    run(),
    { ledger: ledgerOf(tryAt({ started_at: '2026-10-31T23:59:59Z', cost_usd: 9 })) },
    { maxCostUsd: 1, maxCostPerMonthUsd: 1 },
    { number: 2 },
  ],
  [
    'a comment of a writer whose membership the event hides',
    comment('/ralph fix', { comment: { author_association: 'NONE' } }),
    byWriter,
    {},
    { pull: 7 },
  ],
  [
    'a fix of this commit whose branch was deleted',
    run(),
    { ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: HEAD }) },
    {},
    { number: 1 },
  ],
  [
    'a fix of another commit',
    run(),
    { fixTip: OTHER, ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: OTHER }) },
    {},
    { number: 1 },
  ],
  [
    'three tries whose pull request could not be opened, and whose branch is gone',
    run(),
    { ledger: ledgerOf(...[1, 2, 3].map(() => tryAt({ state: 'unopened' }))) },
    {},
    { number: 1 },
  ],
  [
    'a try whose fix could not be pushed two weeks ago',
    run(),
    { ledger: ledgerOf(tryAt({ state: 'unpushed', started_at: '2026-11-01T00:00:00Z' })) },
    {},
    { number: 1 },
  ],
  [
    'a rejected fix of another commit',
    run(),
    { rejected: true, ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: OTHER }) },
    {},
    { number: 1 },
  ],
  [
    'the opt-out label on a closed pull request',
    run(),
    { pulls: [{ ...PULL, branch: 'main', open: false, labels: ['no-ralph'] }] },
    {},
    { number: 1 },
  ],
];

type SkipRow = readonly [...Row, reason: SkipReason];

const SKIPS: readonly SkipRow[] = [
  ['a push', parsed('push', pushPayload(HEAD)), {}, {}, 'unsupported_event'],
  [
    'a pull request that was opened',
    parsed('pull_request', { action: 'opened' }),
    {},
    {},
    'unsupported_event',
  ],
  ['a run that passed', run({ conclusion: 'success' }), {}, {}, 'not_failing'],
  ['a run that was cancelled', run({ conclusion: 'cancelled' }), {}, {}, 'not_failing'],
  ['a run without a conclusion', run({ conclusion: null }), {}, {}, 'not_failing'],
  ['a run of the workflow that runs ralph', run({ name: 'ralph' }), {}, {}, 'own_workflow'],
  ['a run of a fork', run({ head_repository: { full_name: FORK } }), {}, {}, 'fork'],
  ['a run of a deleted fork', run({ head_repository: null }), {}, {}, 'fork'],
  ['a run of a fix branch', run({ head_branch: 'ralph/fix-main' }), {}, {}, 'own_branch'],
  ['a run of the memory branch', run({ head_branch: 'ralph/memory' }), {}, {}, 'own_branch'],
  [
    'a run of a merged commit of ralph',
    run({ head_commit: { message: 'ralph: fix main\n\nRalph-Loop: ralph-x-20261122-abc123\n' } }),
    {},
    {},
    'own_push',
  ],
  ['a run in a merge queue', run({ head_branch: 'gh-readonly-queue/main/pr-7-abc' }), {}, {}, 'merge_queue'],
  ['a run of a branch of dependabot', run({ head_branch: 'dependabot/npm/x' }), {}, {}, 'bot_branch'],
  [
    'a run of a branch whose pull request a bot opened',
    run(),
    { pulls: [{ ...PULL, branch: 'main', bot: true }] },
    {},
    'bot_branch',
  ],
  [
    'a schedule where every workflow passed',
    parsed('schedule', schedulePayload()),
    { failing: false },
    {},
    'not_failing',
  ],
  ['a retry of an unknown try', retry('nowhere'), {}, {}, 'unknown_try'],
  [
    'a retry of a try that ended otherwise',
    retry('1-1'),
    { ledger: ledgerOf(tryAt({ id: '1-1', state: 'failed' })) },
    {},
    'unknown_try',
  ],
  [
    'a retry after a newer commit',
    retry('1-1'),
    { ledger: ledgerOf(tryAt({ id: '1-1' })), head: OTHER },
    {},
    'head_moved',
  ],
  [
    'a retry whose label was removed',
    retry('1-1'),
    { ledger: ledgerOf(tryAt({ id: '1-1', trigger: 'label', pull: 7 })), ...withPull({ labels: [] }) },
    {},
    'label_removed',
  ],
  ['commits of somebody else where the fix would go', run(), { fixTip: OTHER }, {}, 'branch_edited'],
  [
    'commits of somebody else on top of a fix',
    run(),
    { fixTip: OTHER, ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: HEAD, head: OTHER }) },
    {},
    'branch_edited',
  ],
  ['a run of a tag', run({ head_branch: null }), {}, {}, 'no_branch'],
  ['a run of a tag that GitHub names as a branch', run(), { head: undefined, isTag: true }, {}, 'no_branch'],
  ['a deleted branch', run(), { head: undefined }, {}, 'branch_gone'],
  ['a branch with a newer commit', run(), { head: OTHER }, {}, 'head_moved'],
  [
    'an event that runs with a token for forks',
    parsed('pull_request_target', labelPayload(HEAD)),
    withPull(),
    {},
    'unsupported_event',
  ],
  ['another label', label({ label: 'bug' }), withPull(), {}, 'other_label'],
  ['a removed label', label({ action: 'unlabeled' }), withPull(), {}, 'other_action'],
  ['a label that was removed after the event', label(), withPull({ labels: [] }), {}, 'label_removed'],
  [
    'a pull request from a fork',
    label({ pull: { head: { ref: 'rounding', sha: HEAD, repo: { full_name: FORK } } } }),
    withPull(),
    {},
    'fork',
  ],
  ['a pull request that is from a fork by the REST API', label(), withPull({ fork: true }), {}, 'fork'],
  ['a closed pull request', label(), withPull({ open: false }), {}, 'closed'],
  ['an unknown pull request', label(), {}, {}, 'closed'],
  [
    "ralph's own pull request",
    label({ pull: { head: { ref: 'ralph/fix-main', sha: HEAD, repo: { full_name: 'octo-org/shop' } } } }),
    withPull({ branch: 'ralph/fix-main' }),
    {},
    'own_branch',
  ],
  [
    'the opt-out label together with the label',
    label(),
    withPull({ labels: ['Ralph', 'No-Ralph'] }),
    {},
    'opted_out',
  ],
  [
    'the opt-out label on the pull request of a failing branch',
    run(),
    { pulls: [{ ...PULL, branch: 'main', labels: ['no-ralph'] }] },
    {},
    'opted_out',
  ],
  ['a comment without the command', comment('/ralphfix'), byWriter, {}, 'no_command'],
  [
    'the command in a block of code',
    comment('For example:\r\n```sh\r\n/ralph fix\r\n```'),
    byWriter,
    {},
    'no_command',
  ],
  ...[
    ['an HTML comment', '<!--\n/ralph fix\n-->\nhello'],
    ['an HTML element', '<pre>\n/ralph fix\n</pre>'],
    ['code over several lines', 'see `a\n/ralph fix\nb`'],
    ['a quotation that goes on', '> they wrote\n/ralph fix'],
    ['indented code', '    /ralph fix'],
    ['the middle of a line', 'please /ralph fix'],
  ].map(([where, body]): SkipRow => [`the command in ${where}`, comment(body!), byWriter, {}, 'no_command']),
  [
    'a comment that an app wrote in the name of a writer',
    comment('/ralph fix', { comment: { performed_via_github_app: { id: 1 } } }),
    byWriter,
    {},
    'bot',
  ],
  [
    'its own workflow by its file',
    run({ name: 'CI', path: '.github/workflows/ralph.yml' }),
    {},
    {},
    'own_workflow',
  ],
  [
    'a commit that a bot pushed to a branch',
    run({ head_branch: 'fix-1', actor: { login: 'Copilot', type: 'Bot' } }),
    {},
    {},
    'bot_branch',
  ],
  ...['mergify/merge-queue/abc', 'trunk-merge/pr-1/x', 'staging.tmp'].map((branch): SkipRow => [
    `the queue ${branch}`,
    run({ head_branch: branch }),
    {},
    {},
    'merge_queue',
  ]),
  ['an own branch in other letters', run({ head_branch: 'Ralph/FIX-feat' }), {}, {}, 'own_branch'],
  ['an edited comment', comment('/ralph fix', { action: 'edited' }), byWriter, {}, 'other_action'],
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
    'a comment of an owner by the event whom GitHub does not know as a writer',
    comment('/ralph fix', { comment: { author_association: 'OWNER' } }),
    { ...withPull(), permission: 'none' },
    {},
    'no_permission',
  ],
  [
    'a comment of a member with read permission',
    comment('/ralph fix'),
    { ...withPull(), permission: 'read' },
    {},
    'no_permission',
  ],
  ['a comment of a user without permission data', comment('/ralph fix'), withPull(), {}, 'no_permission'],
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
  ['a schedule on a tag', parsed('schedule', schedulePayload(), 'refs/tags/v1'), {}, {}, 'no_branch'],
  [
    'a dispatch for the memory branch',
    parsed('workflow_dispatch', dispatchPayload({ branch: 'ralph/memory' })),
    {},
    {},
    'own_branch',
  ],
  ['three tries at the commit', run(), { ledger: ledgerOf(tryAt(), tryAt(), tryAt()) }, {}, 'tries_used'],
  [
    'three tries whose jobs died',
    run(),
    {
      ledger: ledgerOf(
        ...[1, 2, 3].map(() => tryAt({ state: 'running', started_at: '2026-11-20T08:00:00Z' })),
      ),
    },
    {},
    'tries_used',
  ],
  [
    'a running try on the branch',
    run(),
    { ledger: ledgerOf(tryAt({ state: 'running', started_at: '2026-11-22T11:00:00Z' })) },
    {},
    'locked',
  ],
  [
    'a fix of this commit that could not be pushed',
    run(),
    { ledger: ledgerOf(tryAt({ state: 'unpushed' })) },
    { maxTries: 1 },
    'unpushed',
  ],
  [
    'a fix of this commit that is on its branch and has a pull request',
    run(),
    {
      fixTip: OTHER,
      ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: HEAD, pull: 8 }),
    },
    {},
    'fixed',
  ],
  [
    'a fix of this commit that is on its branch',
    run(),
    { fixTip: OTHER, ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: HEAD }) },
    {},
    'fixed',
  ],
  [
    'a rejected fix of this commit',
    run(),
    { rejected: true, ledger: recordPush(EMPTY_LEDGER, { branch: 'main', tip: OTHER, head: HEAD }) },
    {},
    'rejected',
  ],
  [
    'a daily budget that is spent',
    run(),
    { ledger: ledgerOf(tryAt({ head: OTHER })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.39 },
    'budget_day',
  ],
  [
    'a daily budget that is reserved',
    run(),
    { ledger: ledgerOf(tryAt({ branch: 'next', state: 'running', cost_usd: undefined })) },
    { maxCostUsd: 1, maxCostPerDayUsd: 1.9 },
    'budget_day',
  ],
  [
    'a monthly budget that is spent',
    run(),
    { ledger: ledgerOf(tryAt({ started_at: '2026-11-02T08:00:00Z', cost_usd: 9.5 })) },
    { maxCostUsd: 1, maxCostPerMonthUsd: 10 },
    'budget_month',
  ],
];

describe('decidePlan', () => {
  test.each(RUNS)('starts a try for %s', (_, event, state, settings, expected) => {
    expect(decidePlan(event, { ...SETTINGS, ...settings }, { ...STATE, ...state })).toMatchObject({
      kind: 'run',
      ...expected,
    });
  });

  test.each(SKIPS)('skips %s', (_, event, state, settings, reason) => {
    const decision = decidePlan(event, { ...SETTINGS, ...settings }, { ...STATE, ...state });
    expect(decision).toMatchObject({ kind: 'skip', reason });
    expect((decision as { text: string }).text).toMatch(/^\S.*\.$/);
  });

  test('has a test and a line in the documentation for every rule', () => {
    const known: Record<SkipReason, true> = {
      unsupported_event: true,
      other_action: true,
      other_label: true,
      label_removed: true,
      not_failing: true,
      own_workflow: true,
      own_branch: true,
      own_push: true,
      fork: true,
      merge_queue: true,
      bot_branch: true,
      bot: true,
      no_command: true,
      no_pull_request: true,
      no_permission: true,
      no_branch: true,
      branch_gone: true,
      head_moved: true,
      closed: true,
      opted_out: true,
      locked: true,
      unknown_try: true,
      branch_edited: true,
      tries_used: true,
      fixed: true,
      unpushed: true,
      rejected: true,
      budget_day: true,
      budget_month: true,
    };
    expect(new Set(SKIPS.map((row) => row[4]))).toEqual(new Set(Object.keys(known)));
    const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/ci.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, rule]) => rule!);
    expect(new Set(documented.filter((rule) => rule in known || rule.includes('_')))).toEqual(
      new Set(Object.keys(known)),
    );
  });
});
