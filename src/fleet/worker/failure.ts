import { RalphError, messageOf, type ErrorCode } from '../../errors.ts';
import type { TakenJob } from '../queue/take.ts';
import { DeliveryFailed } from './deliver.ts';

/** Errors that no other machine can avoid: they lie in the job or in its repository. */
const OF_THE_JOB: ReadonlySet<ErrorCode> = new Set([
  'usage',
  'config_invalid',
  'config_untrusted',
  'no_repository',
  'no_commits',
  'repository_unusable',
  'no_package',
  'no_dependencies',
  'no_checks',
  'check_unrunnable',
]);

const LOGIN = /authentication|could not read Username|Permission denied|403|access denied|not found/i;

/** The network or the disk of this machine: another one may succeed. */
const OF_THE_MACHINE = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE|ENOSPC|No space left|Could not resolve host/;

/** True if another machine would fail in the same way, so that the job ends now. */
export function isOfTheJob(error: unknown): boolean {
  if (!(error instanceof RalphError) || OF_THE_MACHINE.test(error.message)) return false;
  // The loop has ended: as a failed job it would be run again.
  if (error instanceof DeliveryFailed) return false;
  return OF_THE_JOB.has(error.code) || (error.code === 'conflict' && LOGIN.test(error.message));
}

/** Errors of the way to a git host or a registry. */
const OF_THE_WAY: ReadonlySet<ErrorCode> = new Set([
  'conflict',
  'repository_unusable',
  'no_dependencies',
  'github_failed',
]);
const AWAY =
  /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE|E(?:HOST|NET)UNREACH|Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|Operation timed out|hung up unexpectedly|returned error: (?:5\d\d|429)|HTTP (?:5\d\d|429)/i;

/** True if a git host or a registry is away or refuses for now: neither the job nor the machine is at fault. */
export function isOutside(error: unknown): boolean {
  return error instanceof RalphError && OF_THE_WAY.has(error.code) && AWAY.test(error.message);
}

/** What one job needs, such as the key of its model: other jobs may run on this machine. */
const OF_ONE_JOB: ReadonlySet<ErrorCode> = new Set(['actor_failed', 'no_program']);

/** True if this machine may fail with the next job as well, so that it leaves the jobs to others for a while. */
export function needsRest(error: unknown): boolean {
  return !(error instanceof RalphError) || !OF_ONE_JOB.has(error.code);
}

const WITH_CHECK = 'Submit it again with the command that decides: --check tests="…"';

/** Remedies for the person who submitted the job; those of `ralph run` are for somebody who is in the repository. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  no_package: WITH_CHECK,
  no_checks: WITH_CHECK,
  config_untrusted:
    'A flag overrides the file: those of the sandbox are flags of ralph worker, the others of ralph submit.',
};

export interface FailedJob {
  readonly job: Pick<TakenJob, 'repository' | 'request' | 'grant'>;
  /** Absolute path of the checkout, which is nothing to others than this worker. */
  readonly root: string;
}

/** One text for the queue: the message, and the remedy if there is one. A limit that the job did not ask for is named. */
export function reasonOf(error: unknown, { job, root }: FailedJob): string {
  const { request, grant, repository } = job;
  const isOfFleet = request.config.maxCost === undefined && grant.costUsd !== undefined;
  const about =
    isOfFleet && messageOf(error).startsWith('--max-cost ')
      ? 'The fleet has a budget in dollars (ralph queue budget), of which a job without --max-cost gets a part. '
      : '';
  return `${about}${sentences(error)}`.replaceAll(root, repository).slice(0, 4000);
}

/** A price of the repository's own does not count then. */
const UNKNOWN_PRICE = /the price of (\S+) is unknown/;

function sentences(error: unknown): string {
  const message = messageOf(error);
  const [, unpriced] = UNKNOWN_PRICE.exec(message) ?? [];
  if (unpriced !== undefined)
    return `${message} Whoever runs the workers names it, in dollars per million tokens of input and output: ralph worker --price ${unpriced}=1,4. Or limit the tokens: ralph queue budget all --max-tokens …`;
  const hint = error instanceof RalphError ? (REMEDIES[error.code] ?? error.hint) : undefined;
  if (hint === undefined) return message;
  return `${message}${/[.!?…:]$/.test(message) ? '' : '.'} ${hint}`;
}
