import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from 'ai';
import { messageOf, RalphError } from '../../errors.ts';
import type { Usage } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { renderProblems, validatorOfSchema } from '../../schema/validate.ts';
import { stopReason } from '../../platform/text/stop-reason.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Conversation, ModelTool, Reply } from './client.ts';
import { ConversationEnd, type FallbackModel } from './fallback-model.ts';
import { stuckReason } from './stuck-model.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Runs one conversation with the AI SDK's tool loop. Rejects with RalphError if the model cannot be opened. */
export async function converse(model: FallbackModel, conversation: Conversation): Promise<Reply> {
  const usages: Usage[] = [];
  const before = model.answered;
  const latest = { text: '' };
  const run = (answerSchema: object | undefined): Promise<Outcome> => {
    const { onWork } = conversation;
    model.listen({ onWork, answerSchema, onUsage: (usage) => usages.push(usage) });
    return runSteps(model, conversation, latest).catch((error: unknown) => outcomeOf(error, conversation));
  };
  const { answerSchema } = conversation;
  let outcome = await run(answerSchema);
  if (outcome.failure?.kind === 'request' && answerSchema !== undefined && model.answered === before) {
    // The server may not support structured output; the prompt asks for the same format.
    outcome = await run(undefined);
  }
  return { ...outcome, text: latest.text, steps: model.answered - before, usage: sumUsage(usages) };
}

type Outcome = Pick<Reply, 'ending' | 'detail' | 'failure'>;

/** Updates `latest` with each step, so that the last text is known however the conversation ends. */
async function runSteps(
  model: FallbackModel,
  conversation: Conversation,
  latest: { text: string },
): Promise<Outcome> {
  const { maxSteps, prompt, signal, system } = conversation;
  const result = await generateText({
    model,
    instructions: system,
    messages: [{ role: 'user', content: prompt }],
    tools: toolSet(conversation.tools ?? {}),
    abortSignal: signal,
    maxRetries: 0,
    toolCallConcurrency: 1,
    stopWhen: [isStepCount(maxSteps), ({ steps }) => stuckReason(steps) !== undefined],
    onStepEnd: ({ text }) => void (latest.text = text === '' ? latest.text : text),
  });
  const stuck = stuckReason(result.steps);
  if (stuck !== undefined) return { ending: 'stuck', detail: stuck };
  const cut = CUT_OFF[result.finishReason];
  if (cut !== undefined) return cut;
  if (result.finishReason !== 'tool-calls') return { ending: 'stopped', detail: '' };
  return { ending: 'steps', detail: `The limit of ${plural(maxSteps, 'model call')} is reached.` };
}

const CUT_OFF: Readonly<Partial<Record<string, Outcome>>> = {
  length: {
    ending: 'length',
    detail: 'The reply was cut off at the output limit (see --max-output-tokens).',
  },
  'content-filter': { ending: 'refused', detail: 'The model or its provider refused to answer.' },
  error: { ending: 'failed', detail: 'The provider ended the reply with an error.' },
};

function outcomeOf(error: unknown, { signal }: Conversation): Outcome {
  if (signal.aborted) return { ending: 'aborted', detail: `Stopped, ${stopReason(signal)}.` };
  if (error instanceof RalphError) throw error;
  if (!(error instanceof ConversationEnd)) return { ending: 'failed', detail: messageOf(error) };
  if (error.end.kind === 'budget') return { ending: 'budget', detail: error.end.reason };
  return { ending: 'failed', detail: error.message, failure: error.end.failure };
}

function toolSet(tools: Readonly<Record<string, ModelTool>>): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, entry]) => [name, sdkTool(entry)]));
}

function sdkTool({ description, inputSchema, run }: ModelTool): ToolSet[string] {
  const problemsOf = validatorOfSchema(inputSchema);
  return tool({
    description,
    inputSchema: jsonSchema<never>(inputSchema, {
      validate(value) {
        const problems = problemsOf(value);
        if (problems.length === 0) return { success: true, value: value as never };
        return { success: false, error: new Error(renderProblems(problems)) };
      },
    }),
    execute: (input: never, { abortSignal }) => run(input, abortSignal ?? new AbortController().signal),
  }) as ToolSet[string];
}
