import type { BranchStore } from '../workspace/deliver/branch-store.ts';
import { LEDGER_FILE, readLedger, renderLedger } from './memory-branch.ts';
import type { CiRemote } from './remote.ts';
import { commentOn, recordComment } from './rules/ledger.ts';
import type { CiSettings } from './settings.ts';

/** Where comments are written, and where their ids are kept. */
export interface CommentPlace {
  readonly remote: CiRemote;
  readonly store: BranchStore;
  readonly settings: Pick<CiSettings, 'memoryBranch'>;
  /** Numbers of the pull requests. */
  readonly pulls: readonly number[];
}

const MAX_PULLS = 3;

/**
 * Writes the one comment of ralph on each pull request anew. Its id is kept in the ledger, so that no comment of somebody
 * else is taken for it, whatever it says. Without the permission there is no comment; a try does not depend on it. Never
 * rejects.
 */
export async function updateComment(place: CommentPlace, body: string): Promise<void> {
  for (const pull of place.pulls.slice(0, MAX_PULLS)) await updateOn(place, pull, body).catch(() => {});
}

async function updateOn(
  { remote, store, settings: { memoryBranch } }: CommentPlace,
  pull: number,
  body: string,
): Promise<void> {
  const { github } = remote;
  if (github === undefined) return;
  const known = commentOn(await readLedger(await store.open(), memoryBranch), pull);
  if (known !== undefined && (await github.editComment(known, body))) return;
  const comment = await github.addComment(pull, body);
  await store.update(`ralph: comment on #${pull}`, async (files) => {
    const ledger = await readLedger(files, memoryBranch);
    return new Map([[LEDGER_FILE, renderLedger(recordComment(ledger, pull, comment))]]);
  });
}
