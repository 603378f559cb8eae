import { expect, test } from 'vitest';
import {
  decidePublish,
  describeUnseen,
  unconfirmedBefore,
  type PublishState,
  type WithholdReason,
} from '../../../src/ci/rules/decide-publish.ts';
import type { PullFacts } from '../../../src/ci/github/event.ts';
import { blankVerdict } from '../../../src/loop/verdict.ts';
import type { CiFix, CiTry } from '../../../src/schema/generated.ts';

const HEAD = 'a'.repeat(40);
const LABELS = { label: 'ralph', optOutLabel: 'no-ralph' };
const CLAIM: CiTry = {
  id: '4711-1',
  branch: 'rounding',
  head: HEAD,
  trigger: 'label',
  state: 'running',
  started_at: '2026-11-22T11:00:00Z',
  reserved_usd: 0,
  pull: 7,
  labelled: true,
};
const FIX: CiFix = {
  version: 1,
  try_id: '4711-1',
  branch: 'rounding',
  head: HEAD,
  verdict: { ...blankVerdict('passed', 'Every check passed.'), verified: true, patch: 'patch.diff' },
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
const STATE: PublishState = {
  claim: CLAIM,
  fix: FIX,
  tree: { id: 'c'.repeat(40), leftOut: [] },
  head: HEAD,
  pulls: [PULL],
};
const withVerdict = (change: Partial<CiFix['verdict']>): PublishState => ({
  ...STATE,
  fix: { ...FIX, verdict: { ...FIX.verdict, ...change } },
});

test('publishes a verified result of a running try whose branch and pull request are unchanged', () => {
  expect(decidePublish(STATE, LABELS)).toMatchObject({ kind: 'publish' });
});

const ROWS: readonly (readonly [string, PublishState, WithholdReason])[] = [
  ['an unknown try', { ...STATE, claim: undefined }, 'not_claimed'],
  ['a try that has already ended', { ...STATE, claim: { ...CLAIM, state: 'published' } }, 'settled'],
  ['no result', { ...STATE, fix: 'fix.json is missing' }, 'no_result'],
  ['a result of another try', { ...STATE, fix: { ...FIX, try_id: '1-1' } }, 'other_try'],
  ['a result for another branch', { ...STATE, fix: { ...FIX, branch: 'main' } }, 'other_try'],
  ['a result for another commit', { ...STATE, fix: { ...FIX, head: 'b'.repeat(40) } }, 'other_try'],
  ['an unverified result', withVerdict({ verified: false, status: 'exhausted' }), 'not_verified'],
  ['a loop that had nothing to do', withVerdict({ status: 'nothing_to_do', patch: null }), 'nothing_to_do'],
  ['a result that no other machine confirmed', { ...STATE, tree: undefined }, 'unconfirmed'],
  ['a verified verdict without a patch', withVerdict({ patch: null }), 'nothing_to_do'],
  ['a verified verdict with a failing status', withVerdict({ status: 'exhausted' }), 'not_verified'],
  ['a deleted branch', { ...STATE, head: undefined }, 'branch_gone'],
  ['a branch with a newer commit', { ...STATE, head: 'b'.repeat(40) }, 'head_moved'],
  ['a closed pull request', { ...STATE, pulls: [{ ...PULL, open: false }] }, 'closed'],
  ['an unknown pull request', { ...STATE, pulls: [] }, 'closed'],
  [
    'a pull request with the opt-out label',
    { ...STATE, pulls: [{ ...PULL, labels: ['ralph', 'No-Ralph'] }] },
    'opted_out',
  ],
  ['a pull request whose label was removed', { ...STATE, pulls: [{ ...PULL, labels: [] }] }, 'label_removed'],
];

test.each(ROWS)('withholds %s', (_, state, reason) => {
  expect(decidePublish(state, LABELS)).toMatchObject({ kind: 'withhold', reason });
});

test('needs no label for a try that a comment asked for', () => {
  const claim = { ...CLAIM, labelled: undefined, trigger: 'comment' as const };
  expect(decidePublish({ ...STATE, claim, pulls: [{ ...PULL, labels: [] }] }, LABELS)).toMatchObject({
    kind: 'publish',
  });
});

test('the next try is told why earlier results at its commit were not confirmed, oldest first', () => {
  const ended = (change: Partial<CiTry>): CiTry => ({ ...CLAIM, state: 'unverified', ...change });
  const tries = [
    ended({ reason: 'ralph ci verify did not confirm the result on another machine: It has a comment.' }),
    ended({ reason: 'The loop ended unverified (exhausted).' }),
    ended({ reason: undefined }),
    ended({
      head: 'b'.repeat(40),
      reason: 'ralph ci verify did not confirm the result on another machine: Of another commit.',
    }),
    ended({ reason: 'ralph ci verify did not confirm the result on another machine: It is red.' }),
  ];
  const ledger = { version: 1 as const, tries, branches: [] };
  expect(unconfirmedBefore(ledger, 'rounding', HEAD)).toEqual(['It has a comment.', 'It is red.']);
});

test('a failure of CI that the checks do not see is named if a failed job is known', () => {
  expect(describeUnseen([])).toBeUndefined();
  expect(describeUnseen(['e2e: npm run e2e'])).toContain('CI is red (e2e: npm run e2e), but every check');
});
