import { usageError } from '../../errors.ts';
import { readPools } from '../../fleet/queue/budget-pools.ts';
import { pause, resume, setLimit, setPool, type PauseTarget } from '../../fleet/queue/control.ts';
import { knownName } from '../../fleet/queue/known-name.ts';
import { readLimits, readPauses } from '../../fleet/queue/lanes.ts';
import { useFleet, type Fleet } from '../../fleet/queue/open-fleet.ts';
import { countJobs, JOB_STATES } from '../../fleet/queue/read-jobs.ts';
import { plural } from '../../platform/text/plural.ts';
import type { OutputOptions } from '../options.ts';
import { printResult } from '../output.ts';
import { parseChoice, parseWholeNumber } from '../values.ts';
import { describeTarget, renderPool } from './queue-lines.ts';

interface TargetOptions extends OutputOptions {
  readonly repository?: string;
  readonly organisation?: string;
}

/** `ralph queue pause`. */
export async function pauseCommand(options: TargetOptions): Promise<void> {
  await withFleet(async (fleet) => {
    const { target, isKnown } = await targetOf(fleet, options);
    await pause(fleet, target);
    const flag = target.kind === 'all' ? '' : ` --${target.kind} ${target.name}`;
    const effect = isKnown
      ? 'Running loops go on.'
      : 'No job has this name so far: nothing that is queued now waits for it, only jobs that are submitted from now on. ralph queue show JOB prints the name of a job.';
    printResult(options, { paused: target, known: isKnown }, () => [
      `Paused ${describeTarget(target)}. ${effect} End the pause with: ralph queue resume${flag}`,
    ]);
  });
}

/** `ralph queue resume`. */
export async function resumeCommand(options: TargetOptions): Promise<void> {
  await withFleet(async (fleet) => {
    const { target } = await targetOf(fleet, options);
    const wasPaused = await resume(fleet, target);
    printResult(options, { resumed: target, was_paused: wasPaused }, () => [
      wasPaused ? `Resumed ${describeTarget(target)}.` : `${describeTarget(target)} was not paused.`,
    ]);
  });
}

/** The largest integer of the column. */
const MAX_LOOPS = 2 ** 31 - 1;
const LIMIT_KINDS = ['repository', 'organisation', 'model'] as const;
const POOL_KINDS = ['all', 'organisation', 'model'] as const;

/** `ralph queue limit`. */
export async function limitCommand(
  given: { readonly kind?: string; readonly name?: string; readonly most?: string },
  options: OutputOptions,
): Promise<void> {
  const { kind, name, most } = given;
  await withFleet(async (fleet) => {
    let note: readonly string[] = [];
    if (kind !== undefined) {
      if (name === undefined || most === undefined)
        throw usageError(
          'A limit needs a name and a number.',
          'For example: ralph queue limit repository "*" 2',
        );
      const named = await completeName(fleet, { kind: parseChoice('limit', kind, LIMIT_KINDS), name });
      note = named.note;
      await setLimit(fleet, {
        ...named.target,
        most: most === 'none' ? undefined : parseWholeNumber('limit', most, MAX_LOOPS),
      });
    }
    const limits = await readLimits(fleet.database);
    printResult(options, limits, () =>
      limits.length === 0
        ? ['No limits. Set one with: ralph queue limit repository "*" 2']
        : [
            ...limits.map((limit) => `${limit.kind} ${limit.name}: ${plural(limit.most, 'loop')} at a time`),
            ...note,
          ],
    );
  });
}

/** `ralph queue budget`. */
export async function budgetCommand(
  given: { readonly kind?: string; readonly name?: string },
  options: OutputOptions & { readonly maxCost?: string; readonly maxTokens?: string },
): Promise<void> {
  const { maxCost, maxTokens } = options;
  await withFleet(async (fleet) => {
    let note: readonly string[] = [];
    if (given.kind !== undefined) {
      const kind = parseChoice('budget', given.kind, POOL_KINDS);
      if (kind !== 'all' && given.name === undefined)
        throw usageError(
          `A budget of one ${kind} needs its name.`,
          `For example: ralph queue budget ${kind} NAME --max-cost 50`,
        );
      if (kind === 'all' && given.name !== undefined)
        throw usageError(
          `The budget of the whole fleet has no name, and ${JSON.stringify(given.name)} is given.`,
          'Leave it out: ralph queue budget all --max-cost 50',
        );
      if (given.name === '*')
        throw usageError(
          `A budget is of one ${kind}: "*" is no name.`,
          'Name one, or set the budget of all.',
        );
      const named = await completeName(fleet, { kind, name: given.name ?? '' });
      note = named.note;
      if (maxCost !== undefined || maxTokens !== undefined)
        await setPool(fleet, {
          ...named.target,
          costUsd: parseBudget(maxCost, (text) => parseAmount('--max-cost', text)),
          tokens: parseBudget(maxTokens, (text) => parseWholeNumber('--max-tokens', text)),
        });
    }
    const pools = await readPools(fleet.database);
    printResult(options, pools, () =>
      pools.length === 0
        ? ['No budgets. Set one with: ralph queue budget all --max-cost 50']
        : [...pools.map(renderPool), ...note],
    );
  });
}

/** `ralph queue stats`. */
export async function statsCommand(options: OutputOptions): Promise<void> {
  await withFleet(async ({ database }) => {
    const jobs = await countJobs(database);
    const [limits, pauses, pools] = [
      await readLimits(database),
      await readPauses(database),
      await readPools(database),
    ];
    printResult(options, { jobs, limits, pauses, budgets: pools }, (chalk) => [
      ...JOB_STATES.flatMap((state) =>
        jobs[state] === undefined ? [] : `${chalk.bold(state.padEnd(11))} ${jobs[state]}`,
      ),
      ...limits.map(({ kind, name, most }) => `limit       ${kind} ${name}: ${most}`),
      ...pauses.map((target) => `paused      ${describeTarget(target)}`),
      ...pools.map((pool) => `budget      ${renderPool(pool)}`),
    ]);
  });
}

function targetOf(fleet: Fleet, { repository, organisation }: TargetOptions): Promise<Named<PauseTarget>> {
  if (repository !== undefined) return completeName(fleet, { kind: 'repository', name: repository });
  return completeName(
    fleet,
    organisation === undefined ? { kind: 'all', name: '' } : { kind: 'organisation', name: organisation },
  );
}

interface Named<T> {
  readonly target: T;
  /** False if no job has the name. */
  readonly isKnown: boolean;
  /** A line for the user if no job has the name: it may be mistyped. */
  readonly note: readonly string[];
}

/** Repositories and organisations may be named by their last parts; every model and `*` are themselves. */
async function completeName<T extends { readonly kind: string; readonly name: string }>(
  { database }: Fleet,
  target: T,
): Promise<Named<T>> {
  const { kind, name: given } = target;
  if ((kind !== 'repository' && kind !== 'organisation') || given === '*')
    return { target, isKnown: true, note: [] };
  const { name, isKnown } = await knownName(database, kind, given);
  if (!isKnown && !isWhole(kind, name))
    throw usageError(
      `No job of ${kind} ${name} was submitted so far, and this is not the whole name of one.`,
      `Give the whole name, such as ${kind === 'repository' ? 'github.com/octo-org/shop' : 'github.com/octo-org'}`,
    );
  const unknown = `No job of ${kind} ${name} was submitted so far. ralph queue show JOB prints the name of a job's repository.`;
  return { target: { ...target, name }, isKnown, note: isKnown ? [] : [unknown] };
}

/** Whether a name has a host, or is that of a repository on the disk. */
function isWhole(kind: 'repository' | 'organisation', name: string): boolean {
  const parts = name.split('/');
  return name.startsWith('/') || name === 'local' || parts.length > (kind === 'repository' ? 2 : 1);
}

/** `none` removes a limit; without the flag it stays. */
function parseBudget(text: string | undefined, parse: (text: string) => number): number | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : parse(text);
}

function parseAmount(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw usageError(
    `${option} ${text} is not an amount in US dollars.`,
    `For example ${option} 50; none removes the limit.`,
  );
}

function withFleet(act: (fleet: Fleet) => Promise<void>): Promise<void> {
  return useFleet({ env: process.env }, act);
}
