import { playbookPrompt } from '../../../prompts/memory.ts';
import { renderPrompt } from '../../../prompts/render.ts';
import type { Insight, Lesson, Observation, PlaybookAnswer } from '../../../schema/generated.ts';
import type { AskModel } from '../common/ask.ts';
import { askForJson, type Asked } from '../common/ask-json.ts';
import { renderObservation } from '../observe/render.ts';
import { REWRITE } from './settings.ts';

/** The material of a rewrite. */
export interface RewriteInput {
  /** The current narrative; '' for the first. */
  readonly narrative: string;
  /** Lessons that get a slot, the strongest first. */
  readonly lessons: readonly Lesson[];
  /** Insights that are not in the playbook yet. */
  readonly insights: readonly Insight[];
  /** Recent attempts, oldest first. */
  readonly recent: readonly Observation[];
}

export interface RewriteOptions {
  readonly repositoryRoot: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Asks a model to rewrite the narrative. Never rejects. */
export function askForRewrite(
  ask: AskModel,
  { narrative, lessons, insights, recent }: RewriteInput,
  { repositoryRoot, timeoutMs, signal }: RewriteOptions,
): Promise<Asked<PlaybookAnswer>> {
  const variables = playbookPrompt({
    narrative,
    slots: lessons,
    insights: insights.map(({ text }) => text),
    attempts: recent.map((one) => ({ task: one.task, text: renderObservation(one) })),
    least: Math.max(REWRITE.leastChars, Math.ceil(narrative.length * REWRITE.ratio)),
    most: REWRITE.mostChars,
  });
  return askForJson(ask, {
    answer: 'playbook-answer',
    keys: ['narrative'],
    system: renderPrompt('playbook-system', {}, repositoryRoot),
    prompt: renderPrompt('playbook', variables, repositoryRoot),
    timeoutMs,
    signal,
    repository: repositoryRoot,
  });
}
