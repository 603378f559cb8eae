import type { ChalkInstance } from 'chalk';
import type { Pool } from '../../fleet/queue/budget-pools.ts';
import type { PauseTarget } from '../../fleet/queue/control.ts';
import type { JobDetails, JobRow, JobState } from '../../fleet/queue/read-jobs.ts';
import { oneLine } from '../../platform/text/one-line.ts';
import { printable } from '../../platform/text/printable.ts';
import { jobSteps } from './job-steps.ts';
import { renderDuration } from '../../platform/text/duration.ts';
import { plural } from '../../platform/text/plural.ts';

const MAX_TASK = 70;
const MAX_NAME = 200;
const MAX_REASON = 200;
/** States that nobody can act on without the reason. */
const NEEDS_REASON: ReadonlySet<JobState> = new Set(['unverified', 'failed', 'dead', 'waiting']);
const LABEL_WIDTH = 10;
/** Twice the usual heartbeat: as long as a worker is not shown as lost. */
const SILENT_SECONDS = 60;
const REASON_INDENT = ' '.repeat(10);

/** One job as a line, and a second one with the reason if it did not end well or is tried again. */
export function renderRow(job: JobRow, chalk: ChalkInstance): string[] {
  const { id, state, repository, ref, task, reward, machines, reason } = job;
  const colour = { verified: chalk.green, running: chalk.cyan, dead: chalk.red, failed: chalk.red }[
    state as string
  ];
  const name = repository.split('/').slice(-2).join('/');
  const line = [
    id.slice(0, 8),
    (colour ?? chalk.reset)(state.padEnd(10)),
    reward === null ? '     ' : reward.toFixed(3),
    foreignLine(`${name}${ref === '' ? '' : `#${ref}`}`, MAX_NAME),
    foreignLine(task.split('\n', 1)[0]!, MAX_TASK),
    machines.length > 1 ? chalk.dim(`(${plural(machines.length, 'machine')})`) : '',
  ]
    .join('  ')
    .trimEnd();
  const silence = renderSilence(job);
  if (silence !== null) return [line, `${REASON_INDENT}${chalk.dim(silence)}`];
  if (reason === null || !NEEDS_REASON.has(state)) return [line];
  return [line, `${REASON_INDENT}${chalk.dim(foreignLine(reason, MAX_REASON))}`];
}

/** Everything about a job, one fact a line. */
export function renderDetails(job: JobDetails, chalk: ChalkInstance): string[] {
  const rows: (readonly [string, string | null])[] = [
    ['job', job.id],
    ['key', job.key],
    ['state', job.state],
    ['repository', `${job.repository}${job.ref === '' ? '' : `#${job.ref}`}`],
    ['task', job.task],
    ['loop', job.loop_id],
    ['base', job.base],
    ['labels', job.labels.join(', ') || null],
    ['waits', job.waits_for],
    ['silent', renderSilence(job)],
    ['machines', job.machines.join(', ') || null],
    ['submitted', job.submitted_at],
    ['started', job.started_at],
    ['ended', job.ended_at],
    ['reward', job.reward === null ? null : job.reward.toFixed(3)],
    ['cost', job.cost_usd === null ? null : `$${job.cost_usd.toFixed(4)}`],
    ['reason', job.reason],
    ['delivered', job.delivered?.message ?? null],
  ];
  const facts = rows.flatMap(([name, value]) =>
    value === null ? [] : `${chalk.bold(name.padEnd(LABEL_WIDTH))}  ${printable(value)}`,
  );
  return [...facts, ...renderNext(job, chalk)];
}

/** Says of a running job that its worker seems to be dead, and what helps; null for others. */
function renderSilence({ silent_seconds: seconds, machines }: JobRow): string | null {
  if (seconds === null || seconds < SILENT_SECONDS) return null;
  return `Nothing was heard of its worker ${printable(machines.at(-1) ?? '')} for ${renderDuration(seconds * 1000)}. The next worker that runs continues it: ralph worker`;
}

/** The commands that help after the end of a job, one a line. */
export function renderNext(job: JobDetails, chalk: ChalkInstance): string[] {
  const steps = jobSteps(job);
  const width = Math.max(0, ...steps.map(({ command }) => command.length));
  return steps.map(({ command, why }, index) => {
    const label = chalk.bold((index === 0 ? 'next' : '').padEnd(LABEL_WIDTH));
    return `${label}  ${printable(command.padEnd(width))}  ${chalk.dim(why)}`;
  });
}

/** A budget of the fleet: its amounts, and what is gone of them. */
export function renderPool(pool: Pool): string {
  const { kind, name, cost_usd: cost, tokens, spent_usd: spent, spent_tokens: used } = pool;
  const money =
    cost === null
      ? ''
      : ` $${spent.toFixed(2)} spent and $${pool.reserved_usd.toFixed(2)} reserved of $${cost.toFixed(2)}`;
  const text =
    tokens === null ? '' : ` ${used} tokens spent and ${pool.reserved_tokens} reserved of ${tokens}`;
  const amounts = cost === null && tokens === null ? ' no limit' : `${money}${text}`;
  return `${kind}${name === '' ? '' : ` ${name}`}:${amounts}`;
}

/** The target of a pause, in words. */
export function describeTarget({ kind, name }: PauseTarget): string {
  return kind === 'all' ? 'the whole queue' : `${kind} ${name}`;
}

/** Colours are escaped too: they would pass as ralph's own. */
function foreignLine(text: string, limit: number): string {
  return oneLine(printable(text), limit);
}
