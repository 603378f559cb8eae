import { expect, test } from 'vitest';
import {
  beforeClaim,
  claimTry,
  commentOn,
  earlierLoops,
  EMPTY_LEDGER,
  recordComment,
  recordPush,
  settleTry,
  spentUsd,
  triesAt,
} from '../../../src/ci/rules/ledger.ts';
import { startsAnother, triesLeft } from '../../../src/ci/rules/retry.ts';
import { validate } from '../../../src/schema/validate.ts';
import type { CiTry } from '../../../src/schema/generated.ts';

const HEAD = 'a'.repeat(40);
const AT = new Date('2026-11-22T12:00:00Z');
const claim = (id: string, change: Partial<CiTry> = {}): CiTry => ({
  id,
  branch: 'main',
  head: HEAD,
  trigger: 'workflow_run',
  state: 'running',
  started_at: '2026-11-22T11:00:00.000Z',
  reserved_usd: 2,
  ...change,
});

test('a running try counts, with its full reservation', () => {
  const ledger = claimTry(claimTry(EMPTY_LEDGER, claim('1-1')), claim('2-1'));
  expect(triesAt(ledger, 'main', HEAD)).toBe(2);
  expect(spentUsd(ledger, AT)).toEqual({ day: 4, month: 4 });
  expect(validate('ci-ledger', ledger)).toMatchObject({ ok: true });
});

test('a claim whose push had no answer is made again, and an earlier attempt of the run has ended', () => {
  const ledger = ['12-1', '1-1', '1-2'].reduce((all, id) => claimTry(all, claim(id)), EMPTY_LEDGER);
  const { tries } = beforeClaim(ledger, '1-2', AT);
  expect(tries.map(({ id, state }) => [id, state])).toEqual([
    ['12-1', 'running'],
    ['1-1', 'failed'],
  ]);
  expect(beforeClaim(ledger, 'try-7', AT)).toEqual(ledger);
});

test.each([
  [0.25, 0.25],
  [undefined, 2],
  [99, 2],
  [-5, 0],
])('a reported cost of %s USD with 2 USD reserved counts as %s USD', (reported, counted) => {
  const end = { state: 'unverified', at: AT, cost_usd: reported } as const;
  const ledger = settleTry(claimTry(EMPTY_LEDGER, claim('1-1')), '1-1', end);
  expect(ledger.tries[0]).toMatchObject({
    cost_usd: counted,
    state: 'unverified',
    ended_at: AT.toISOString(),
  });
  expect(spentUsd(ledger, AT).day).toBe(counted);
});

test('earlierLoops returns the unverified loops of the commit, oldest first', () => {
  const ended = (id: string, change: Partial<CiTry>): CiTry =>
    claim(id, { state: 'unverified', loop_id: `ralph-${id}`, ...change });
  const ledger = [
    ended('1', {}),
    ended('2', { head: 'b'.repeat(40) }),
    ended('3', { branch: 'next' }),
    ended('4', { state: 'failed' }),
    ended('5', {}),
  ].reduce(claimTry, EMPTY_LEDGER);
  expect(earlierLoops(ledger, 'main', HEAD)).toEqual(['ralph-1', 'ralph-5']);
});

test('drops tries older than two months', () => {
  const old = claim('1', { started_at: '2026-09-01T00:00:00.000Z' });
  const recent = claim('2', { started_at: '2026-10-01T00:00:00.000Z' });
  const ledger = [old, recent, claim('3')].reduce(claimTry, EMPTY_LEDGER);
  expect(ledger.tries.map(({ id }) => id)).toEqual(['2', '3']);
});

test('keeps only the newest push of a branch', () => {
  const [first, second] = ['b', 'c'].map((digit) => ({ branch: 'main', tip: digit.repeat(40), head: HEAD }));
  expect(recordPush(recordPush(EMPTY_LEDGER, first!), second!).branches).toEqual([second]);
});

test('keeps one comment of each pull request', () => {
  const ledger = recordComment(recordComment(recordComment(EMPTY_LEDGER, 7, 1), 8, 2), 7, 3);
  expect([commentOn(ledger, 7), commentOn(ledger, 8), commentOn(ledger, 9)]).toEqual([3, 2, undefined]);
  expect(validate('ci-ledger', ledger)).toMatchObject({ ok: true });
});

test('tries are left up to the limit of the plan, however one ended; ralph starts one only after an unverified one', () => {
  const ended = (change: Partial<CiTry>) => claimTry(EMPTY_LEDGER, claim('1-1', change));
  const left = (change: Partial<CiTry>): number => triesLeft(ended(change), '1-1');
  expect(left({ state: 'unverified', max_tries: 3 })).toBe(2);
  expect(left({ state: 'unverified', max_tries: 1 })).toBe(0);
  expect(left({ state: 'unverified' })).toBe(0);
  expect(left({ state: 'failed', max_tries: 3 })).toBe(2);
  expect(startsAnother(ended({ state: 'unverified', max_tries: 3 }), '1-1')).toBe(true);
  expect(startsAnother(ended({ state: 'unverified', max_tries: 1 }), '1-1')).toBe(false);
  expect(startsAnother(ended({ state: 'failed', max_tries: 3 }), '1-1')).toBe(false);
  expect(triesLeft(EMPTY_LEDGER, '1-1')).toBe(0);
});
