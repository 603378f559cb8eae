import { stripVTControlCharacters } from 'node:util';
import { redact } from '../platform/redaction/redact.ts';
import { oneLine } from '../platform/text/one-line.ts';
import type { CiPlan } from '../schema/generated.ts';
import type { GitHub } from './github/client.ts';
import type { FailedJob } from './github/workflows.ts';

const MAX_JOBS = 10;
const MAX_LOGS = 3;
/** The end of a log names the failure. */
const MAX_LOG_CHARS = 12_000;
const MAX_NAME_CHARS = 140;
const TIMESTAMP = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gm;

/**
 * Names of the failed jobs of a workflow run and the ends of their logs, for the plan. Empty if they cannot be read: a try
 * does without them. Names and logs are text of the branch. Never rejects.
 */
export async function readFailedJobs(
  github: GitHub | undefined,
  run: number | undefined,
): Promise<Pick<CiPlan, 'failed_jobs' | 'log'>> {
  if (github === undefined || run === undefined) return {};
  try {
    const failed = await github.failedJobs(run);
    if (failed.length === 0) return {};
    const logs: string[] = [];
    for (const job of failed.slice(0, MAX_LOGS)) {
      const log = await github.jobLog(job.id).catch(() => undefined);
      if (log !== undefined) logs.push(`${nameOf(job)}\n${endOf(log)}`);
    }
    return {
      failed_jobs: failed.slice(0, MAX_JOBS).map(nameOf),
      log: logs.length === 0 ? undefined : logs.join('\n\n'),
    };
  } catch {
    return {};
  }
}

/** `build (20): Run npm test`. */
function nameOf({ name, step }: FailedJob): string {
  return [name, step]
    .flatMap((part) => part ?? [])
    .map((part) => oneLine(part).slice(0, MAX_NAME_CHARS))
    .join(': ');
}

/** The last characters of a log, in whole lines, without colours, time stamps and secrets. */
function endOf(log: string): string {
  const plain = redact(stripVTControlCharacters(log.slice(-4 * MAX_LOG_CHARS)).replace(TIMESTAMP, ''));
  if (plain.length <= MAX_LOG_CHARS) return plain.trim();
  const cut = plain.slice(-MAX_LOG_CHARS);
  return cut.slice(cut.indexOf('\n') + 1).trim();
}
