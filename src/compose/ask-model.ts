import type { WorkEvent } from '../events.ts';
import type { ModelClient } from '../agents/llm/client.ts';
import type { AskModel } from '../memory/passes/common/ask.ts';

/** Adapts a model client to the passes of memory: one call per question. */
export function askThrough(client: ModelClient, onWork: (event: WorkEvent) => void): AskModel {
  return async (request) => {
    const { text, ending, detail, usage } = await client.converse({ ...request, maxSteps: 1, onWork });
    if (ending === 'stopped') return { text, usage };
    return { failed: detail === '' ? `The model's answer ended early: ${ending}.` : detail, usage };
  };
}
