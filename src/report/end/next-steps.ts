import { actorRow } from '../../actors.ts';
import type { LoopLimits } from '../../events.ts';
import type { Usage, Verdict } from '../../schema/generated.ts';

/** What to type, and what it does; the latter is empty where the command says it. */
export interface NextStep {
  readonly command: string;
  readonly why: string;
}

export interface Ended {
  readonly verdict: Verdict;
  readonly limits: LoopLimits;
  readonly maxIterations: number;
  readonly actor: string;
  /** An attempt was better than what was there before. */
  readonly hasResult: boolean;
}

/** What the user would type next, the likeliest first; nothing behind `ralph evaluate`. */
export function nextSteps(ended: Ended): NextStep[] {
  const { loop_id: id, verified } = ended.verdict;
  if (id === null) return [];
  return verified ? afterSuccess(id, ended.verdict) : [...goOn(id, ended), ...lookAt(id, ended)];
}

function afterSuccess(id: string, { applied, branch, status }: Verdict): NextStep[] {
  const undo = step(`ralph undo ${id}`, 'takes it back');
  switch (applied) {
    case 'tree':
      return [step('git diff', 'shows it'), undo];
    case 'commit':
      return [step('git show', 'shows it'), step('git revert HEAD', 'takes it back')];
    case 'branch':
      return [
        step(`git diff HEAD...${branch ?? `ralph/${id}`}`, 'shows it'),
        step(`git merge ${branch ?? `ralph/${id}`}`, 'takes it into this branch'),
        step(`ralph undo ${id}`, 'deletes the branch'),
      ];
    default:
      return status === 'nothing_to_do'
        ? [step('ralph run "what to build" --require-change', 'for what no check asks for yet')]
        : [];
  }
}

function goOn(id: string, { verdict, limits, maxIterations, actor }: Ended): NextStep[] {
  const resume = `ralph resume ${id}`;
  switch (verdict.status) {
    case 'aborted':
    case 'error':
      return [step(resume, 'goes on behind the last finished step')];
    case 'exhausted':
      return [step(`${resume} --max-iterations ${maxIterations * 2}`, 'goes on')];
    case 'budget':
      return [step(`${resume}${raised(verdict, limits)}`, 'goes on')];
    case 'stalled':
      return actorRow(actor)?.asks === 'nobody' ? [step('ralph run --model provider/model', 'lets a model try')] : [];
    default:
      return [];
  }
}

function lookAt(id: string, { hasResult, verdict: { reflections } }: Ended): NextStep[] {
  return [
    ...(!hasResult ? [] : [step(`ralph apply ${id}`, 'takes the best attempt, unverified as it is')]),
    ...(reflections.length === 0 ? [] : [step(`ralph reflections show ${id}`, 'what was learned')]),
  ];
}

/** The budget that ended the loop, doubled; all that were set, where none is quite used up. A resumed loop has its time anew. */
function raised({ duration_ms: took, usage }: Verdict, limits: LoopLimits): string {
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
