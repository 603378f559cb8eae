import type { Verdict } from '../../schema/generated.ts';
import type { TakenJob } from '../queue/take.ts';

/** Why a loop ended, as a sentence; if a budget is spent that the job did not ask for, with where it comes from. */
export function endReason({ status, reason }: Verdict, { request, grant }: Budgeted): string {
  if (status !== 'budget' || /time budget/i.test(reason)) return reason;
  const isOfTokens = /token budget/i.test(reason);
  const { maxCost, maxTokens } = request.config;
  const isOwn = isOfTokens ? grant.tokens === maxTokens : grant.costUsd === maxCost;
  if (isOwn) return reason;
  const flag = isOfTokens ? '--max-tokens' : '--max-cost';
  return `${reason} That is the part of the budget of the fleet that the job got. For more: submit it with ${flag}, or raise the budget with ralph queue budget.`;
}

type Budgeted = Pick<TakenJob, 'request' | 'grant'>;
