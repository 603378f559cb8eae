import { expect, test } from 'vitest';
import {
  claimTry,
  earlierLoops,
  EMPTY_LEDGER,
  notePushed,
  settleTry,
  spentUsd,
  triesAt,
} from '../../../src/ci/github/ledger.ts';
import { validate } from '../../../src/schema/validate.ts';
import type { CiTry } from '../../../src/schema/generated.ts';

const HEAD = 'a'.repeat(40);
const AT = new Date('2026-11-22T12:00:00Z');
const claim = (id: string, change: Partial<CiTry> = {}): CiTry => ({
  ...{ id, branch: 'main', head: HEAD, trigger: 'workflow_run', state: 'running' },
  ...{ started_at: '2026-11-22T11:00:00.000Z', reserved_usd: 2 },
  ...change,
});

test('a claim counts from the moment that it is made', () => {
  const ledger = claimTry(claimTry(EMPTY_LEDGER, claim('1-1')), claim('2-1'));
  expect(triesAt(ledger, 'main', HEAD)).toBe(2);
  expect(spentUsd(ledger, AT)).toEqual({ day: 4, month: 4 });
  expect(validate('ci-ledger', ledger)).toMatchObject({ ok: true });
});

test.each([
  ['what it says', 0.25, 0.25],
  ['all that was reserved where it says nothing', undefined, 2],
  ['no more than was reserved', 99, 2],
  ['no less than nothing', -5, 0],
])('a try costs %s', (_, said, counted) => {
  const end = { state: 'unverified', at: AT, ...(said !== undefined && { cost_usd: said }) } as const;
  const ledger = settleTry(claimTry(EMPTY_LEDGER, claim('1-1')), '1-1', end);
  expect(ledger.tries[0]).toMatchObject({
    cost_usd: counted,
    state: 'unverified',
    ended_at: AT.toISOString(),
  });
  expect(spentUsd(ledger, AT).day).toBe(counted);
});

test('only tries at the commit that ended without a fix have something to tell', () => {
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

test('what is older than two months is forgotten, and nothing else', () => {
  const old = claim('1', { started_at: '2026-09-01T00:00:00.000Z' });
  const recent = claim('2', { started_at: '2026-10-01T00:00:00.000Z' });
  const ledger = [old, recent, claim('3')].reduce(claimTry, EMPTY_LEDGER);
  expect(ledger.tries.map(({ id }) => id)).toEqual(['2', '3']);
});

test('a branch has one entry, the newest', () => {
  const [first, second] = ['b', 'c'].map((digit) => ({ branch: 'main', tip: digit.repeat(40), head: HEAD }));
  expect(notePushed(notePushed(EMPTY_LEDGER, first!), second!).branches).toEqual([second]);
});
