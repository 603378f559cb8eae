import { actorRow } from '../../actors.ts';
import type { LoopLimits } from '../../events.ts';
import type { Usage, Verdict } from '../../schema/generated.ts';

/** A command to type next, with its purpose. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

/** A loop that has ended. */
export interface Ended {
  readonly verdict: Verdict;
  readonly limits: LoopLimits;
  readonly maxIterations: number;
  readonly actor: string;
  /** True if an attempt was better than the baseline. */
  readonly hasResult: boolean;
}

/** The commands that the user may type next, the likeliest first; none after `ralph evaluate`. */
export function nextSteps(ended: Ended): NextStep[] {
  const { loop_id: id, verified } = ended.verdict;
  if (id === null) return [];
  if (ended.verdict.status === 'unproven') return afterUnproven(id, ended.verdict);
  return verified ? afterSuccess(id, ended.verdict) : [...continueLoop(id, ended), ...inspectLoop(id, ended)];
}

function afterSuccess(id: string, { applied, branch, status }: Verdict): NextStep[] {
  const undo = step(`ralph undo ${id}`, 'reverts the change');
  switch (applied) {
    case 'tree':
      return [step('git diff', 'shows the change'), undo];
    case 'commit':
      return [step('git show', 'shows the change'), step('git revert HEAD', 'reverts the change')];
    case 'branch':
      return [
        step(`git diff HEAD...${branch ?? `ralph/${id}`}`, 'shows the change'),
        step(`git merge ${branch ?? `ralph/${id}`}`, 'merges it into this branch'),
        step(`ralph undo ${id}`, 'deletes the branch'),
      ];
    default:
      return status === 'nothing_to_do'
        ? [step('ralph run "what to build" --model provider/model', 'starts a task that no check covers yet')]
        : [];
  }
}

function afterUnproven(id: string, { applied, branch = `ralph/${id}` }: Verdict): NextStep[] {
  const again = step('ralph run "…" --accept "COMMAND"', 'tries again with a command that must fail now');
  if (applied === 'tree' || applied === 'commit') return [step('git diff', 'shows the change'), again];
  return [
    step(`git diff HEAD...${branch}`, 'shows the change'),
    step(`ralph apply ${id}`, 'applies it without a proof'),
    again,
  ];
}

function continueLoop(id: string, { verdict, limits, maxIterations, actor }: Ended): NextStep[] {
  const resume = `ralph resume ${id}`;
  switch (verdict.status) {
    case 'aborted':
      return [step(resume, 'continues after the last finished step')];
    case 'error':
      return verdict.iterations === 0 ? [] : [step(resume, 'continues after the last finished step')];
    case 'exhausted':
      return [step(`${resume} --max-iterations ${maxIterations * 2}`, 'continues')];
    case 'budget':
      return [step(`${resume}${raisedLimits(verdict, limits)}`, 'continues')];
    case 'stalled':
      return actorRow(actor)?.asks === 'nobody'
        ? [step('ralph run --model provider/model', 'tries a model')]
        : [];
    default:
      return [];
  }
}

function inspectLoop(id: string, { hasResult, verdict: { reflections } }: Ended): NextStep[] {
  return [
    ...(!hasResult ? [] : [step(`ralph apply ${id}`, 'applies the best attempt, which is not verified')]),
    ...(reflections.length === 0 ? [] : [step(`ralph reflections show ${id}`, 'shows what was learned')]),
  ];
}

/** Flags that double the budget that ended the loop, or all budgets if none is fully used. A resumed loop starts with its full time. */
function raisedLimits({ duration_ms: took, usage }: Verdict, limits: LoopLimits): string {
  const { maxCostUsd, maxTimeMs, maxTokens } = limits;
  if (maxTimeMs !== undefined && took >= maxTimeMs) return '';
  const cost = maxCostUsd === undefined ? '' : ` --max-cost ${maxCostUsd * 2}`;
  const tokens = maxTokens === undefined ? '' : ` --max-tokens ${maxTokens * 2}`;
  if (cost !== '' && (usage.cost_usd ?? 0) >= maxCostUsd!) return cost;
  return tokens !== '' && tokensOf(usage) >= maxTokens! ? tokens : cost + tokens;
}

function tokensOf({ input_tokens, output_tokens }: Usage): number {
  return input_tokens + output_tokens;
}

function step(command: string, why: string): NextStep {
  return { command, why };
}
