import type { Asked, FormatAdapter, JsonObject } from '../format.ts';
import { asList, asObject } from '../format.ts';
import type { Frame, FramePart } from '../frame.ts';
import { pieces } from '../frame.ts';
import type { CompleteReply, WireFinish } from '../reply.ts';
import { openAiErrorBody } from './openai-errors.ts';

const FINISH: Readonly<Record<WireFinish, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refusal: 'stop',
  filter: 'content_filter',
};

/** `POST /v1/chat/completions`. */
export const openAiChat: FormatAdapter = {
  basePath: '/v1',
  newline: '\n',
  body,
  frames,
  errorBody: openAiErrorBody,
  errorFrame: () => frame('delta', openAiErrorBody(500)),
  promptLines,
};

function body(reply: CompleteReply, asked: Asked): object {
  const refused = reply.finish === 'refusal';
  const calls = reply.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const message = {
    role: 'assistant',
    content: refused || (reply.text === '' && calls.length > 0) ? null : reply.text,
    refusal: refused ? reply.text : null,
    ...(calls.length > 0 && { tool_calls: calls }),
    annotations: [],
  };
  return {
    ...head(asked, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[reply.finish] }],
    usage: usage(reply),
  };
}

function frames(reply: CompleteReply, asked: Asked): Frame[] {
  const withUsage = asObject(asked.body.stream_options).include_usage === true;
  const common = { ...head(asked, 'chat.completion.chunk'), ...(withUsage && { usage: null }) };
  const chunk = (part: FramePart, delta: object, finish: string | null = null) =>
    frame(part, { ...common, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });

  const key = reply.finish === 'refusal' ? 'refusal' : 'content';
  const calls = reply.toolCalls.flatMap((call, index) => {
    const opening = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    const rest = pieces(call.arguments).map((piece) => ({ index, function: { arguments: piece } }));
    return [
      chunk('block-start', { tool_calls: [opening] }),
      ...rest.map((delta) => chunk('delta', { tool_calls: [delta] })),
    ];
  });
  return [
    chunk('start', { role: 'assistant', content: '', refusal: null }),
    ...pieces(reply.text).map((piece) => chunk('delta', { [key]: piece })),
    ...calls,
    chunk('end', {}, FINISH[reply.finish]),
    ...(withUsage ? [frame('end', { ...common, choices: [], usage: usage(reply) })] : []),
    { part: 'done', data: '[DONE]' },
  ];
}

function head({ number, model }: Asked, object: string): object {
  return {
    id: `chatcmpl-wire${number}`,
    object,
    created: 1_760_000_000 + number,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_wire',
  };
}

function usage({ usage: { input, output, cached, cacheWrite } }: CompleteReply): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      audio_tokens: 0,
      ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** The system prompt is the first of the messages here. */
function promptLines({ tools, messages }: JsonObject): string[] {
  return [
    ...asList(tools).map((tool) => `tool ${JSON.stringify(tool)}`),
    ...asList(messages).map((message) => {
      const { role, ...rest } = asObject(message);
      return `${String(role)} ${JSON.stringify(rest)}`;
    }),
  ];
}

function frame(part: FramePart, data: object): Frame {
  return { part, data: JSON.stringify(data) };
}
