import type { RemoteDesk } from '../platform/git/remote.ts';
import type { CiLedger } from '../schema/generated.ts';
import { mergePulls } from './merge-pulls.ts';
import type { CiRemote } from './remote.ts';
import type { CiState } from './rules/decide-plan.ts';
import type { FixRequest } from './rules/fix-request.ts';
import { pushedFor } from './rules/ledger.ts';
import { resolveRetry } from './rules/retry.ts';
import type { CiSettings } from './settings.ts';

/** A request, and where its state is read. */
export interface OpenRequest {
  readonly request: FixRequest;
  readonly remote: CiRemote;
  readonly desk: RemoteDesk;
}

/** Reads the state of GitHub and of the remote for a request. Throws RalphError. */
export async function readState(
  { request: given, remote, desk }: OpenRequest,
  { branchPrefix, workflow }: CiSettings,
  { ledger, now }: { readonly ledger: CiLedger; readonly now: Date },
): Promise<CiState> {
  const { github } = remote;
  const resolved = resolveRetry(given, ledger);
  const request = resolved.kind === 'skip' ? given : resolved;
  const pull = request.pull === undefined ? undefined : await github?.pull(request.pull);
  const branch = request.branch ?? pull?.branch;
  const open = branch === undefined || pull?.fork === true ? [] : await github?.pullsOf(branch);
  const wasPushed = branch !== undefined && pushedFor(ledger, branch) !== undefined;
  const head = branch === undefined ? undefined : await desk.tipOf(branch);
  const isTag = branch !== undefined && head === undefined && (await desk.hasTag(branch));
  const isAsked = request.trigger === 'schedule' && head !== undefined;
  return {
    ...{ now, ledger, head, isTag },
    pulls: mergePulls(pull, open),
    permission: request.login === undefined ? undefined : await github?.permissionOf(request.login),
    fixTip: branch === undefined ? undefined : await desk.tipOf(`${branchPrefix}${branch}`),
    rejected: wasPushed && ((await github?.wasRejected(`${branchPrefix}${branch}`)) ?? false),
    failing: isAsked ? await github?.isFailing(head, workflow) : undefined,
  };
}
