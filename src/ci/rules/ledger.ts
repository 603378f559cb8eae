import type { CiBranch, CiLedger, CiTry } from '../../schema/generated.ts';

/** The ledger of a repository without tries. */
export const EMPTY_LEDGER: CiLedger = { version: 1, tries: [], branches: [] };

/** Two months: the longest budget is per calendar month. */
const KEPT_MS = 62 * 24 * 3_600_000;
const MAX_TRIES = 1000;
const MAX_BRANCHES = 1000;
const MAX_COMMENTS = 1000;

/** End of a try, as the fix job reports it. */
export type TryEnd = Pick<CiTry, 'state' | 'cost_usd' | 'loop_id' | 'reason'>;

/** Verified fixes that only lack their push or their pull request: the cause is a permission and not the fix. */
const NO_TRIES: ReadonlySet<CiTry['state']> = new Set(['unopened', 'unpushed']);

/** Time in which the jobs of a run can be run again with its result. */
const REPEATABLE_MS = 14 * 24 * 3_600_000;

/** Number of tries at a commit of a branch: a claimed try counts even if its job died; one that lacks a permission does not. */
export function triesAt(ledger: CiLedger, branch: string, head: string): number {
  return ledger.tries.filter(
    (entry) => entry.branch === branch && entry.head === head && !NO_TRIES.has(entry.state),
  ).length;
}

/** The try at a commit of a branch whose verified fix waits to be pushed by the same job. */
export function unpushedTry(
  ledger: CiLedger,
  { branch, head, now }: { readonly branch: string; readonly head: string; readonly now: Date },
): CiTry | undefined {
  return ledger.tries.findLast(
    (entry) =>
      entry.branch === branch &&
      entry.head === head &&
      entry.state === 'unpushed' &&
      now.getTime() - Date.parse(entry.started_at) < REPEATABLE_MS,
  );
}

/** The try that is running on a branch; a try that began more than `lockMs` ago counts as dead. */
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

/** Whether no end of the last try at a commit of a branch was ever reported. */
export function lastHasDied(ledger: CiLedger, branch: string | undefined, head: string | undefined): boolean {
  return (
    ledger.tries.findLast((entry) => entry.branch === branch && entry.head === head)?.state === 'running'
  );
}

/** USD spent in the UTC day and the UTC month of `now`. A try that has not ended counts with its maximum cost. */
export function spentUsd(ledger: CiLedger, now: Date): { readonly day: number; readonly month: number } {
  const stamp = now.toISOString();
  const sumSince = (prefix: string): number =>
    ledger.tries
      .filter(({ started_at }) => started_at.startsWith(prefix))
      .reduce((sum, { cost_usd, reserved_usd }) => sum + (cost_usd ?? reserved_usd), 0);
  return { day: sumSince(stamp.slice(0, 10)), month: sumSince(stamp.slice(0, 7)) };
}

/** Id of ralph's comment on a pull request. */
export function commentOn(ledger: CiLedger, pull: number): number | undefined {
  return ledger.comments?.find((entry) => entry.pull === pull)?.comment;
}

/** The ledger with the id of a new comment on a pull request. */
export function recordComment(ledger: CiLedger, pull: number, comment: number): CiLedger {
  const others = (ledger.comments ?? []).filter((entry) => entry.pull !== pull);
  return { ...ledger, comments: [...others, { pull, comment }].slice(-MAX_COMMENTS) };
}

/** The last push of a fix for a branch. */
export function pushedFor(ledger: CiLedger, branch: string): CiBranch | undefined {
  return ledger.branches.find((entry) => entry.branch === branch);
}

/**
 * Ids of the loops that ended unverified at a commit of a branch, oldest first, at most 20. The edits that they ruled
 * out are ruled out for that commit only; lessons carry over to later commits.
 */
export function earlierLoops(ledger: CiLedger, branch: string, head: string): string[] {
  return ledger.tries
    .filter((entry) => entry.branch === branch && entry.head === head && entry.state === 'unverified')
    .flatMap(({ loop_id }) => loop_id ?? [])
    .slice(-20);
}

/**
 * The ledger before a try is claimed. A claim of the same id was pushed without an answer, and is made again; a try of an
 * earlier attempt of the same workflow run has ended, since attempts follow one another.
 */
export function beforeClaim(ledger: CiLedger, id: string, at: Date): CiLedger {
  const run = /^(\d+-)\d+$/.exec(id)?.[1];
  const isRunning = ({ state }: CiTry): boolean => state === 'running';
  const tries = ledger.tries.filter((entry) => entry.id !== id || !isRunning(entry));
  const ended = tries.filter((entry) => isRunning(entry) && run !== undefined && entry.id.startsWith(run));
  const end = { state: 'failed', reason: 'Its workflow run was started again.', at } as const;
  return ended.reduce((all, entry) => settleTry(all, entry.id, end), { ...ledger, tries });
}

/** The ledger with a new try; tries that no longer count towards a budget are dropped. */
export function claimTry(ledger: CiLedger, entry: CiTry): CiLedger {
  const since = Date.parse(entry.started_at) - KEPT_MS;
  const kept = ledger.tries.filter(({ started_at }) => Date.parse(started_at) >= since);
  return { ...ledger, tries: [...kept, entry].slice(-MAX_TRIES) };
}

/**
 * The ledger with the end of a try. Its cost is clamped to 0..reserved; a job that reports no cost counts with the full
 * reservation. A failed try whose jobs were run again has the cost of both runs; without a result again, nothing changes.
 */
export function settleTry(ledger: CiLedger, id: string, end: TryEnd & { readonly at: Date }): CiLedger {
  const { at, ...rest } = end;
  const isSame = (entry: CiTry): boolean =>
    entry.id !== id || (entry.state === 'failed' && end.loop_id === undefined);
  return {
    ...ledger,
    tries: ledger.tries.map((entry) =>
      isSame(entry)
        ? entry
        : {
            ...entry,
            ...rest,
            ended_at: at.toISOString(),
            cost_usd:
              (entry.state === 'failed' ? (entry.cost_usd ?? 0) : 0) +
              Math.min(entry.reserved_usd, Math.max(0, rest.cost_usd ?? entry.reserved_usd)),
          },
    ),
  };
}

/** The ledger with the tip that was just pushed to the fix branch of a branch. */
export function recordPush(ledger: CiLedger, pushed: CiBranch): CiLedger {
  const others = ledger.branches.filter(({ branch }) => branch !== pushed.branch);
  return { ...ledger, branches: [...others, pushed].slice(-MAX_BRANCHES) };
}
