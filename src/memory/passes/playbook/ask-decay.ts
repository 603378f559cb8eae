import { playbookDecayPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson } from '../common/ask-json.ts';
import { applyDecision, decideByRules, type ConfidenceChange, type FadingLesson } from './decay.ts';

export interface DecayOptions {
  /** Without a model, rules decide. */
  readonly ask: AskModel | undefined;
  readonly repositoryRoot: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Decides on fading lessons with a model or by rules. An invalid answer, and a lesson that the answer does not mention,
 * mean RETAIN. Stores nothing. Never rejects.
 */
export async function decideDecay(
  fading: readonly FadingLesson[],
  { ask, repositoryRoot, timeoutMs, signal }: DecayOptions,
): Promise<{ readonly changes: ConfidenceChange[]; readonly usage: Usage }> {
  if (fading.length === 0) return { changes: [], usage: NO_USAGE };
  if (ask === undefined)
    return {
      changes: fading.flatMap((one) => applyDecision(one, decideByRules(one)) ?? []),
      usage: NO_USAGE,
    };
  const variables = playbookDecayPrompt(fading.map(({ lesson, gap }) => ({ ...lesson, gap })));
  const asked = await askForJson(ask, {
    answer: 'decay-answer',
    keys: ['decisions'],
    system: renderPrompt('playbook-decay-system', {}, repositoryRoot),
    prompt: renderPrompt('playbook-decay', variables, repositoryRoot),
    timeoutMs,
    signal,
    repository: repositoryRoot,
  });
  const decisions = new Map(
    asked.ok ? asked.value.decisions.map(({ lesson, decision }) => [lesson, decision] as const) : [],
  );
  const changes = fading.flatMap((one) => applyDecision(one, decisions.get(one.lesson.id) ?? 'RETAIN') ?? []);
  return { changes, usage: asked.usage };
}
