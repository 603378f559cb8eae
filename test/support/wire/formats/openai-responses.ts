import type { Asked, FormatAdapter, JsonObject } from '../format.ts';
import { asList, asObject } from '../format.ts';
import type { Frame, FramePart } from '../frame.ts';
import { pieces } from '../frame.ts';
import type { CompleteReply, CompleteToolCall } from '../reply.ts';
import { openAiErrorBody } from './openai-errors.ts';

/** `POST /v1/responses`. */
export const openAiResponses: FormatAdapter = {
  basePath: '/v1',
  newline: '\n',
  body: response,
  frames,
  errorBody: openAiErrorBody,
  errorFrame: () => {
    const { code, message } = openAiErrorBody(500).error;
    return frame('delta', 'error', {
      sequence_number: 2,
      code: code ?? 'server_error',
      message,
      param: null,
    });
  },
  promptLines,
};

/** One event before its `sequence_number`. */
interface Step {
  readonly part: FramePart;
  readonly type: string;
  readonly fields: object;
}

function frames(reply: CompleteReply, asked: Asked): Frame[] {
  const open = { ...head(asked), status: 'in_progress', output: [], usage: null, incomplete_details: null };
  const ended = incompleteReason(reply) === undefined ? 'response.completed' : 'response.incomplete';
  const hasMessage = message(reply, asked).length > 0;
  const steps: Step[] = [
    { part: 'start', type: 'response.created', fields: { response: open } },
    { part: 'start', type: 'response.in_progress', fields: { response: open } },
    ...(hasMessage ? messageSteps(reply, asked) : []),
    ...reply.toolCalls.flatMap((call, index) => callSteps(call, index + (hasMessage ? 1 : 0))),
    { part: 'end', type: ended, fields: { response: response(reply, asked) } },
  ];
  return steps.map(({ part, type, fields }, index) =>
    frame(part, type, { sequence_number: index, ...fields }),
  );
}

function messageSteps(reply: CompleteReply, asked: Asked): Step[] {
  const [item] = message(reply, asked) as [{ readonly id: string; readonly content: readonly object[] }];
  const at = { item_id: item.id, output_index: 0, content_index: 0 };
  const refused = reply.finish === 'refusal';
  const kind = refused ? 'refusal' : 'output_text';
  const key = refused ? 'refusal' : 'text';
  const empty = refused
    ? { type: kind, refusal: '' }
    : { type: kind, text: '', annotations: [], logprobs: [] };
  const extra = refused ? {} : { logprobs: [] };
  return [
    {
      part: 'block-start',
      type: 'response.output_item.added',
      fields: { output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    },
    { part: 'block-start', type: 'response.content_part.added', fields: { ...at, part: empty } },
    ...pieces(reply.text).map((delta): Step => {
      return { part: 'delta', type: `response.${kind}.delta`, fields: { ...at, delta, ...extra } };
    }),
    { part: 'block-end', type: `response.${kind}.done`, fields: { ...at, [key]: reply.text, ...extra } },
    { part: 'block-end', type: 'response.content_part.done', fields: { ...at, part: item.content[0] } },
    { part: 'block-end', type: 'response.output_item.done', fields: { output_index: 0, item } },
  ];
}

function callSteps(call: CompleteToolCall, output_index: number): Step[] {
  const item = callItem(call);
  const at = { item_id: item.id, output_index };
  return [
    {
      part: 'block-start',
      type: 'response.output_item.added',
      fields: { output_index, item: { ...item, status: 'in_progress', arguments: '' } },
    },
    ...pieces(call.arguments).map((delta): Step => {
      return { part: 'delta', type: 'response.function_call_arguments.delta', fields: { ...at, delta } };
    }),
    {
      part: 'block-end',
      type: 'response.function_call_arguments.done',
      fields: { ...at, arguments: call.arguments },
    },
    { part: 'block-end', type: 'response.output_item.done', fields: { output_index, item } },
  ];
}

function response(reply: CompleteReply, asked: Asked): object {
  const reason = incompleteReason(reply);
  return {
    ...head(asked),
    status: reason === undefined ? 'completed' : 'incomplete',
    incomplete_details: reason === undefined ? null : { reason },
    output: [...message(reply, asked), ...reply.toolCalls.map(callItem)],
    usage: usage(reply),
  };
}

function head({ number, model, body }: Asked): object {
  return {
    id: `resp_wire${number}`,
    object: 'response',
    created_at: 1_760_000_000 + number,
    error: null,
    model,
    parallel_tool_calls: true,
    store: body.store !== false,
    service_tier: 'default',
  };
}

/** No message where only tools are called. */
function message({ text, finish, toolCalls }: CompleteReply, { number }: Asked): object[] {
  if (text === '' && (toolCalls.length > 0 || finish === 'filter')) return [];
  const content =
    finish === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs: [] };
  return [
    { id: `msg_wire${number}`, type: 'message', status: 'completed', role: 'assistant', content: [content] },
  ];
}

function callItem(call: CompleteToolCall) {
  return {
    id: `fc_${call.id}`,
    type: 'function_call',
    status: 'completed',
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  };
}

function incompleteReason({ finish }: CompleteReply): string | undefined {
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'filter' ? 'content_filter' : undefined;
}

function usage({ usage: { input, output, cached, cacheWrite } }: CompleteReply): object {
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cached,
      ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

/** The system prompt is `instructions`, or the first of the input. */
function promptLines({ tools, instructions, input }: JsonObject): string[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : asList(input);
  return [
    ...asList(tools).map((tool) => `tool ${JSON.stringify(tool)}`),
    ...(typeof instructions === 'string' ? [`system ${JSON.stringify(instructions)}`] : []),
    ...items.map((item) => {
      const { role, type } = asObject(item);
      return `${String(role ?? type)} ${JSON.stringify(item)}`;
    }),
  ];
}

function frame(part: FramePart, type: string, fields: object): Frame {
  return { part, event: type, data: JSON.stringify({ type, ...fields }) };
}
