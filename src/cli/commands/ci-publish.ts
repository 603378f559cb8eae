import { resolve } from 'node:path';
import { publishFix } from '../../ci/publish.ts';
import { openCiRemote } from '../../ci/remote.ts';
import { ExitCode } from '../../errors.ts';
import { nonEmpty, resolveBranchOptions, type BranchOptions } from './ci-branch-options.ts';
import { reportStep } from './ci-step-report.ts';

export interface CiPublishOptions extends BranchOptions {
  readonly from: string;
  readonly tryId: string;
  readonly allow?: readonly string[];
  readonly pullRequest: boolean;
  readonly draft?: boolean;
  readonly pushOption?: readonly string[];
}

/** Reasons for which a maintainer has to look at the result. */
const REFUSED: ReadonlySet<string> = new Set([
  'bad_patch',
  'branch_edited',
  'other_try',
  'not_claimed',
  'settled',
]);

/** `ralph ci publish`: exit code 0 if it was published or there was nothing to publish, 1 if the result was refused. */
export async function ciPublishCommand(options: CiPublishOptions): Promise<void> {
  const { env } = process;
  const settings = resolveBranchOptions(options);
  const remote = await openCiRemote({
    cwd: process.cwd(),
    env,
    remote: nonEmpty(options.remote),
    pullRequests: options.pullRequest,
    warn: (text) => reportStep({ text, outputs: {} }, {}),
  });
  const result = await publishFix({
    remote,
    settings,
    tryId: options.tryId,
    from: resolve(options.from),
    allow: options.allow ?? [],
    draft: options.draft === true,
    pushOptions: options.pushOption ?? [],
    now: () => new Date(),
  });
  const isRefused = REFUSED.has(result.reason);
  reportStep(
    {
      text: result.text,
      outputs: {
        published: String(result.published),
        reason: result.reason,
        verified: String(result.verified),
        reward: result.reward === undefined ? '' : String(result.reward),
        'loop-id': result.loopId ?? '',
        branch: result.branch ?? '',
        'pr-url': result.pull?.url ?? '',
      },
      annotations: [{ level: isRefused ? 'error' : 'notice', title: 'ralph', message: result.text }],
    },
    env,
  );
  if (isRefused) process.exitCode = ExitCode.unverified;
}
