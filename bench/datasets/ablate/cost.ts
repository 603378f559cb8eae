import { usageError } from '../../../src/errors.ts';
import { plural } from '../../../src/platform/text/plural.ts';
import type { Arm } from './arms.ts';

/** Actors that ask no model. */
const FREE_ACTORS = ['search', 'command'];

/** What an ablation may cost. */
export interface CostPlan {
  /** Upper bound in US dollars; 0 if no arm asks a model. */
  readonly mostUsd: number;
  /** The bound in words, for the user. */
  readonly text: string;
}

/**
 * The largest cost of an ablation, from its flags. Throws a usage error where an arm may ask a model and neither
 * `--max-cost` of each run nor the limit of all runs bounds it.
 */
export function planCost(arms: readonly Arm[], { common, problems, totalUsd }: CostRequest): CostPlan {
  const all = arms.map(({ flags }) => [...common, ...flags]);
  const paid = all.filter((flags) => !isFree(flags));
  const runs = arms.length * problems;
  if (paid.length === 0)
    return { mostUsd: 0, text: `${plural(runs, 'run')}; no arm asks a model, so they cost nothing.` };
  const limits = paid.map((flags) => Number(valueOf(flags, '--max-cost') ?? Infinity));
  const byRuns = limits.reduce((sum, limit) => sum + limit * problems, 0);
  const mostUsd = Math.min(byRuns, totalUsd ?? Infinity);
  if (mostUsd === Infinity)
    throw usageError(
      `${plural(paid.length * problems, 'run')} of ${plural(paid.length, 'arm')} may ask a model without a limit of cost.`,
      'Add --total-cost USD for all runs, or --max-cost USD for each after --.',
    );
  const bound = mostUsd < byRuns ? '--total-cost' : '--max-cost of each run';
  return { mostUsd, text: `${plural(runs, 'run')}; they cost at most $${mostUsd.toFixed(2)} (${bound}).` };
}

interface CostRequest {
  /** Flags of every arm. */
  readonly common: readonly string[];
  readonly problems: number;
  /** Limit of all runs together; undefined for none. */
  readonly totalUsd: number | undefined;
}

/** True if no model is asked: the actor is a free one by name and the reflector has rules, or the replies are recorded. */
function isFree(flags: readonly string[]): boolean {
  if (flags.includes('--replay')) return true;
  const asksReflector = valueOf(flags, '--reflector') === 'llm' || flags.includes('--model');
  return FREE_ACTORS.includes(valueOf(flags, '--actor') ?? '') && !asksReflector;
}

/** The value of a flag; the last one counts. */
function valueOf(flags: readonly string[], name: string): string | undefined {
  const index = flags.lastIndexOf(name);
  const joined = flags.findLast((flag) => flag.startsWith(`${name}=`));
  return index >= 0 ? flags[index + 1] : joined?.slice(name.length + 1);
}
