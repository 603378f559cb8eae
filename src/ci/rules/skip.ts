/** Rules by which an event gets no try; each is a row of the table in `docs/how-to/ci.md`. */
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
  | 'merge_queue'
  | 'bot_branch'
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
  | 'unknown_try'
  | 'branch_edited'
  | 'tries_used'
  | 'fixed'
  | 'unpushed'
  | 'rejected'
  | 'budget_day'
  | 'budget_month';

/** The decision to do nothing for an event. */
export interface Skip {
  readonly kind: 'skip';
  readonly reason: SkipReason;
  /** One sentence for the log. */
  readonly text: string;
}

/** Builds a skip from its rule and one sentence. */
export function skip(reason: SkipReason, text: string): Skip {
  return { kind: 'skip', reason, text };
}
