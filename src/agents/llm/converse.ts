import {
  generateText,
  isStepCount,
  jsonSchema,
  tool,
  type FinishReason,
  type ModelMessage,
  type StepResult,
  type ToolSet,
} from 'ai';
import { messageOf, RalphError } from '../../errors.ts';
import type { Usage } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { renderProblems, validatorOfSchema } from '../../schema/validate.ts';
import { renderPrompt } from '../../prompts/render.ts';
import { boundText } from '../../platform/text/bounded-text.ts';
import { redact } from '../../platform/redaction/redact.ts';
import { stopReason } from '../../platform/text/stop-reason.ts';
import { plural } from '../../platform/text/plural.ts';
import type { Conversation, ModelTool, Reply } from './client.ts';
import { createCallOrder, type CallOrder } from './call-order.ts';
import { ConversationEnd } from './conversation-end.ts';
import type { FallbackModel } from './fallback-model.ts';
import { stuckReason } from './stuck-model.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Runs one conversation with the AI SDK's tool loop. Rejects with RalphError if the model cannot be opened. */
export async function converse(model: FallbackModel, conversation: Conversation): Promise<Reply> {
  const usages: Usage[] = [];
  const before = model.answered;
  const latest = { text: '' };
  const run = (answerSchema: object | undefined): Promise<Outcome> => {
    const { onWork, onlyIfHealthy } = conversation;
    model.listen({ onWork, onlyIfHealthy, answerSchema, onUsage: (usage) => usages.push(usage) });
    return runSteps(model, conversation, latest, answerSchema !== undefined).catch((error: unknown) =>
      outcomeOf(error, conversation),
    );
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

/** How often a reply that is cut off at the output limit is continued. */
const MAX_CONTINUATIONS = 3;
/** Calls that only read run side by side; the others take turns (see `createCallOrder`). */
const MOST_CALLS_AT_ONCE = 8;

/**
 * Updates `latest` with each step, so that the last text is known however the conversation ends. A text that is cut off
 * is continued, in calls beyond `maxSteps`, and joined; structured output is not, since its rest would not follow the schema.
 */
async function runSteps(
  model: FallbackModel,
  conversation: Conversation,
  latest: { text: string },
  isStructured: boolean,
): Promise<Outcome> {
  const { maxSteps, prompt, signal, system } = conversation;
  const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
  const steps: StepResult<ToolSet>[] = [];
  let cutText = '';
  for (let continued = 0; ; continued++) {
    const limit = maxSteps + continued - steps.length;
    const earlier = [...steps];
    const run = generateText({
      model,
      instructions: system,
      messages,
      tools: toolSet(conversation.tools ?? {}),
      abortSignal: signal,
      maxRetries: 0,
      toolCallConcurrency: MOST_CALLS_AT_ONCE,
      stopWhen: [isStepCount(limit), (now) => stuckReason([...earlier, ...now.steps]) !== undefined],
      onStepEnd({ text }) {
        latest.text = text === '' ? latest.text : cutText + text;
        cutText = '';
      },
    });
    const result = await run.catch((error: unknown) => {
      // The first part of a reply is kept if its rest cannot be had.
      if (cutText !== '' && error instanceof ConversationEnd) return undefined;
      throw error;
    });
    if (result === undefined) return CUT_OFF['length']!;
    steps.push(...result.steps);
    const isCut = result.finishReason === 'length' && result.text !== '' && result.toolCalls.length === 0;
    if (!isCut || isStructured || continued === MAX_CONTINUATIONS)
      return endOf(steps, result.finishReason, maxSteps);
    cutText = latest.text;
    messages.push(...result.responseMessages, { role: 'user', content: renderPrompt('continue', {}).trim() });
  }
}

function endOf(steps: readonly StepResult<ToolSet>[], finishReason: FinishReason, maxSteps: number): Outcome {
  const stuck = stuckReason(steps);
  if (stuck !== undefined) return { ending: 'stuck', detail: stuck };
  if (finishReason === 'content-filter') return refused(steps.at(-1)?.text ?? '');
  const cut = CUT_OFF[finishReason];
  if (cut !== undefined) return cut;
  if (finishReason !== 'tool-calls') return { ending: 'stopped', detail: '' };
  return {
    ending: 'steps',
    detail: `The limit of ${plural(maxSteps, 'model call')} is reached (--max-steps).`,
  };
}

const CUT_OFF: Readonly<Partial<Record<string, Outcome>>> = {
  length: {
    ending: 'length',
    detail: 'The reply was cut off at the output limit (see --max-output-tokens).',
  },
  error: { ending: 'failed', detail: 'The provider ended the reply with an error.' },
};

const MAX_REFUSAL_CHARS = 300;

/** `lastText`: what the model said instead, or the beginning of an answer that a filter cut off. */
function refused(lastText: string): Outcome {
  const said = boundText(redact(lastText).replace(/\s+/g, ' ').trim(), MAX_REFUSAL_CHARS);
  const detail =
    said === ''
      ? 'The model or its provider refused to answer.'
      : `A filter ended the reply, or the model refused to answer. Its last text: ${said}`;
  return { ending: 'refused', detail, failure: { kind: 'refusal', message: detail, permanent: false } };
}

function outcomeOf(error: unknown, { signal }: Conversation): Outcome {
  if (signal.aborted) return { ending: 'aborted', detail: `Stopped, ${stopReason(signal)}.` };
  if (error instanceof RalphError) throw error;
  if (!(error instanceof ConversationEnd)) return { ending: 'failed', detail: messageOf(error) };
  if (error.end.kind === 'budget') return { ending: 'budget', detail: error.end.reason };
  return { ending: 'failed', detail: error.message, failure: error.end.failure };
}

function toolSet(tools: Readonly<Record<string, ModelTool>>): ToolSet {
  const order = createCallOrder();
  return Object.fromEntries(Object.entries(tools).map(([name, entry]) => [name, sdkTool(entry, order)]));
}

function sdkTool(
  { description, inputSchema, onlyReads = false, run }: ModelTool,
  order: CallOrder,
): ToolSet[string] {
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
    execute: (input: never, { abortSignal: signal = new AbortController().signal }) =>
      order.run(onlyReads, async () => {
        signal.throwIfAborted();
        return run(input, signal);
      }),
  }) as ToolSet[string];
}
