import { generateText, isStepCount, jsonSchema, tool, type ModelMessage, type ToolSet } from 'ai';
import { messageOf, RalphError } from '../../errors.ts';
import type { Usage } from '../../schema/generated.ts';
import { sumUsage } from '../../schema/usage.ts';
import { renderProblems, validatorOfSchema } from '../../schema/validate.ts';
import { stopReason } from '../../platform/text/stop-reason.ts';
import type { Conversation, ModelTool, Reply } from './client.ts';
import { confusionIn } from './confusion.ts';
import { ConversationEnd, type TalkingModel } from './talking-model.ts';

/** Questions about a reply that ended by itself. */
const MAX_FOLLOW_UPS = 3;

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** Runs one conversation by the AI SDK's tool loop. Throws RalphError where the model cannot be opened. */
export async function converse(model: TalkingModel, conversation: Conversation): Promise<Reply> {
  const usages: Usage[] = [];
  const before = model.answered;
  const { onWork, answerSchema } = conversation;
  model.begin({ onWork, answerSchema, onUsage: (usage) => usages.push(usage) });
  const said = { text: '' };
  const outcome = await talk(model, conversation, said).catch((error: unknown) =>
    failed(error, conversation),
  );
  if (outcome.failure?.kind === 'request' && answerSchema !== undefined && model.answered === before) {
    // The server may know no such thing as an answer by a schema; the prompt asks for it too.
    model.begin({ onWork, answerSchema: undefined, onUsage: (usage) => usages.push(usage) });
    const again = await talk(model, conversation, said).catch((error: unknown) =>
      failed(error, conversation),
    );
    return { ...again, text: said.text, steps: model.answered - before, usage: sumUsage(usages) };
  }
  return { ...outcome, text: said.text, steps: model.answered - before, usage: sumUsage(usages) };
}

type Outcome = Pick<Reply, 'ending' | 'detail' | 'failure'>;

/** Fills in what was said as it comes, so that it is there however the conversation ends. */
async function talk(
  model: TalkingModel,
  conversation: Conversation,
  said: { text: string },
): Promise<Outcome> {
  const { maxSteps, onEnd, prompt, signal, system } = conversation;
  const last = model.answered + maxSteps;
  const usedUp: Outcome = { ending: 'steps', detail: `All ${maxSteps} model calls are used up.` };
  const tools = toolSet(conversation.tools ?? {});
  const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
  for (let followUps = 0; ; followUps++) {
    const result = await generateText({
      ...{ model, instructions: system, messages, tools, abortSignal: signal },
      maxRetries: 0,
      toolCallConcurrency: 1,
      stopWhen: [isStepCount(last - model.answered), ({ steps }) => confusionIn(steps) !== undefined],
      onStepEnd: ({ text }) => void (said.text = text === '' ? said.text : text),
    });
    const confusion = confusionIn(result.steps);
    if (confusion !== undefined) return { ending: 'confused', detail: confusion };
    const cut = CUT_OFF[result.finishReason];
    if (cut !== undefined) return cut;
    if (result.finishReason === 'tool-calls') return usedUp;
    const question = followUps < MAX_FOLLOW_UPS ? await onEnd?.(said.text) : undefined;
    if (question === undefined) return { ending: 'stopped', detail: '' };
    if (model.answered >= last) return usedUp;
    messages.push(...result.responseMessages, { role: 'user', content: question });
  }
}

const CUT_OFF: Readonly<Partial<Record<string, Outcome>>> = {
  length: {
    ending: 'length',
    detail: 'The reply was cut off at its length limit (--max-output-tokens sets it).',
  },
  'content-filter': { ending: 'refused', detail: 'The model, or its provider, refused to answer.' },
  error: { ending: 'failed', detail: 'The provider ended the reply with an error.' },
};

function failed(error: unknown, { signal }: Conversation): Outcome {
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
