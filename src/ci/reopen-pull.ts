import type { BranchStore } from '../workspace/deliver/branch-store.ts';
import { renderPull } from './github/pull-request.ts';
import { LEDGER_FILE, readLedger, renderLedger } from './memory-branch.ts';
import type { CiRemote } from './remote.ts';
import { pushedFor, recordPush, settleTry } from './rules/ledger.ts';
import type { CiSettings } from './settings.ts';

/** The place where a pull request is missing. */
export interface ReopenPlace {
  readonly remote: CiRemote;
  readonly store: BranchStore;
  readonly settings: Pick<CiSettings, 'memoryBranch' | 'branchPrefix'>;
  readonly request: { readonly branch: string | undefined };
  readonly now: Date;
}

/** A pull request that was missing. */
export interface ReopenedPull {
  readonly number: number;
  /** One sentence for the log. */
  readonly text: string;
  /** The pull request that the try was asked for on. */
  readonly askedOn: number | undefined;
}

/**
 * Opens the pull request of a fix that was pushed when there was no permission to open it. Returns undefined if none is missing. Throws RalphError if GitHub still refuses it.
 */
export async function reopenPull({
  remote,
  store,
  settings: { memoryBranch, branchPrefix },
  request: { branch: base },
  now,
}: ReopenPlace): Promise<ReopenedPull | undefined> {
  const { github, runUrl } = remote;
  if (github === undefined || base === undefined) return undefined;
  const ledger = await readLedger(await store.open(), memoryBranch);
  const pushed = pushedFor(ledger, base);
  const claim = ledger.tries.findLast(({ branch, state }) => branch === base && state === 'unopened');
  if (pushed === undefined || pushed.pull !== undefined || claim?.head !== pushed.head) return undefined;
  const { title, body } = renderPull({ claim, files: [], report: '', runUrl });
  const pull = await github.upsertPull({ head: `${branchPrefix}${base}`, base, title, body, draft: false });
  await store.update(`ralph: pull request of ${claim.id}`, async (files) => {
    const fresh = await readLedger(files, memoryBranch);
    const end = { state: 'published', loop_id: claim.loop_id, cost_usd: claim.cost_usd, at: now } as const;
    const settled = recordPush(settleTry(fresh, claim.id, end), { ...pushed, pull: pull.number });
    return new Map([[LEDGER_FILE, renderLedger(settled)]]);
  });
  return {
    ...{ number: pull.number, askedOn: claim.pull },
    text: `Opened pull request #${pull.number} for the fix that was pushed before: ${pull.url}`,
  };
}
