import type { CiBranch, CiLedger, CiTry } from '../../schema/generated.ts';

/** A ledger in which nothing has happened. */
export const EMPTY_LEDGER: CiLedger = { version: 1, tries: [], branches: [] };

/** Budgets are counted by the month, so nothing older decides anything. */
const KEPT_MS = 62 * 24 * 3_600_000;
const MOST_TRIES = 1000;
const MOST_BRANCHES = 1000;

/** How a try ended, and what it cost by its own word. */
export type TryEnd = Pick<CiTry, 'state' | 'cost_usd' | 'loop_id' | 'reason'>;

/** Tries at a commit of a branch so far, whatever came of them: a try that was claimed counts, also where its job died. */
export function triesAt(ledger: CiLedger, branch: string, head: string): number {
  return ledger.tries.filter((entry) => entry.branch === branch && entry.head === head).length;
}

/** The try that works on a branch now; one that began longer ago than `lockMs` has died. */
export function runningTry(
  ledger: CiLedger,
  { branch, now, lockMs }: { readonly branch: string; readonly now: Date; readonly lockMs: number },
): CiTry | undefined {
  return ledger.tries.find(
    (entry) =>
      entry.branch === branch &&
      entry.state === 'running' &&
      now.getTime() - Date.parse(entry.started_at) < lockMs,
  );
}

/** USD of the day and of the month that `now` is in, by UTC. What has not ended counts with all that it may cost. */
export function spentUsd(ledger: CiLedger, now: Date): { readonly day: number; readonly month: number } {
  const stamp = now.toISOString();
  const sumOf = (prefix: string): number =>
    ledger.tries
      .filter(({ started_at }) => started_at.startsWith(prefix))
      .reduce((sum, { cost_usd, reserved_usd }) => sum + (cost_usd ?? reserved_usd), 0);
  return { day: sumOf(stamp.slice(0, 10)), month: sumOf(stamp.slice(0, 7)) };
}

/** What was pushed for a branch. */
export function pushedFor(ledger: CiLedger, branch: string): CiBranch | undefined {
  return ledger.branches.find((entry) => entry.branch === branch);
}

/**
 * Loops of earlier tries at a commit of a branch that ended without a fix, oldest first. What they ruled out holds for
 * that commit; what holds beyond it is in their lessons.
 */
export function earlierLoops(ledger: CiLedger, branch: string, head: string): string[] {
  return ledger.tries
    .filter((entry) => entry.branch === branch && entry.head === head && entry.state === 'unverified')
    .flatMap(({ loop_id }) => loop_id ?? [])
    .slice(-20);
}

/** The ledger with one try more, and without what no longer decides anything. */
export function claimTry(ledger: CiLedger, entry: CiTry): CiLedger {
  const since = Date.parse(entry.started_at) - KEPT_MS;
  const kept = ledger.tries.filter(({ started_at }) => Date.parse(started_at) >= since);
  return { ...ledger, tries: [...kept, entry].slice(-MOST_TRIES) };
}

/**
 * The ledger with the end of a try. It cannot have cost less than nothing, nor more than was reserved; a job that does
 * not say what it cost is counted with all of it.
 */
export function settleTry(ledger: CiLedger, id: string, end: TryEnd & { readonly at: Date }): CiLedger {
  const { at, ...rest } = end;
  return {
    ...ledger,
    tries: ledger.tries.map((entry) =>
      entry.id !== id
        ? entry
        : {
            ...entry,
            ...rest,
            ended_at: at.toISOString(),
            cost_usd: Math.min(entry.reserved_usd, Math.max(0, rest.cost_usd ?? entry.reserved_usd)),
          },
    ),
  };
}

/** The ledger with what is on a branch's own fix branch now. */
export function notePushed(ledger: CiLedger, pushed: CiBranch): CiLedger {
  const others = ledger.branches.filter(({ branch }) => branch !== pushed.branch);
  return { ...ledger, branches: [...others, pushed].slice(-MOST_BRANCHES) };
}
