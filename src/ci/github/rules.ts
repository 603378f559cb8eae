/** What the user set for the job. Money is in USD. */
export interface CiSettings {
  /** Label by which a pull request asks, and the one by which it is left alone. */
  readonly label: string;
  readonly optOutLabel: string;
  /** At one commit. */
  readonly maxTries: number;
  /** Of the branches that hold fixes: `ralph/fix-`. */
  readonly branchPrefix: string;
  readonly memoryBranch: string;
  /** One try may cost this; undefined: nothing is asked that costs. */
  readonly maxCostUsd: number | undefined;
  readonly maxCostPerDayUsd: number | undefined;
  readonly maxCostPerMonthUsd: number | undefined;
  /** A try that began longer ago has died. */
  readonly lockMs: number;
  /** Name of the workflow that the job is part of. */
  readonly workflow: string | undefined;
}

/** Rules by which an event is left alone; each is a row of the table in `docs/how-to/ci.md`. */
export type SkipReason =
  | 'unsupported_event'
  | 'other_action'
  | 'other_label'
  | 'label_removed'
  | 'not_failing'
  | 'own_workflow'
  | 'own_branch'
  | 'own_push'
  | 'fork'
  | 'bot'
  | 'no_command'
  | 'no_pull_request'
  | 'no_permission'
  | 'no_branch'
  | 'branch_gone'
  | 'head_moved'
  | 'closed'
  | 'opted_out'
  | 'locked'
  | 'tries_used'
  | 'rejected'
  | 'budget_day'
  | 'budget_month';

export interface Skip {
  readonly kind: 'skip';
  readonly reason: SkipReason;
  /** One sentence. */
  readonly text: string;
}

/** An event is left alone by a rule; the text is one sentence. */
export function skip(reason: SkipReason, text: string): Skip {
  return { kind: 'skip', reason, text };
}
