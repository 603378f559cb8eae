import { playbookDecayPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Usage } from '../../../schema/generated.ts';
import { NO_USAGE } from '../../../schema/usage.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson } from '../common/ask-json.ts';
import { applyDecision, decideByRules, type ConfidenceChange, type Fading } from './decay.ts';

/** How the model is asked. */
export interface AskDecay {
  readonly ask: AskModel | undefined;
  readonly repositoryRoot: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What becomes of fading lessons: by a model, or by rules where there is none. A bad answer, and a lesson that the
 * answer does not name, mean RETAIN. Nothing is changed yet. Never rejects.
 */
export async function decideDecay(
  fading: readonly Fading[],
  { ask, repositoryRoot, timeoutMs, signal }: AskDecay,
): Promise<{ readonly changes: ConfidenceChange[]; readonly usage: Usage }> {
  if (fading.length === 0) return { changes: [], usage: NO_USAGE };
  if (ask === undefined)
    return {
      changes: fading.flatMap((one) => applyDecision(one, decideByRules(one)) ?? []),
      usage: NO_USAGE,
    };
  const shown = playbookDecayPrompt(fading.map(({ lesson, gap }) => ({ ...lesson, gap })));
  const asked = await askForJson(ask, {
    answer: 'decay-answer',
    keys: ['decisions'],
    system: renderPrompt('playbook-decay-system', {}, repositoryRoot),
    prompt: renderPrompt('playbook-decay', shown, repositoryRoot),
    ...{ timeoutMs, signal, repository: repositoryRoot },
  });
  const decisions = new Map(
    asked.ok ? asked.value.decisions.map(({ lesson, decision }) => [lesson, decision] as const) : [],
  );
  const changes = fading.flatMap((one) => applyDecision(one, decisions.get(one.lesson.id) ?? 'RETAIN') ?? []);
  return { changes, usage: asked.usage };
}
