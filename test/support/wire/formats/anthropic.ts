import type { Asked, FormatAdapter, JsonObject } from '../format.ts';
import { asList, asObject } from '../format.ts';
import type { Frame, FramePart } from '../frame.ts';
import { pieces } from '../frame.ts';
import type { CompleteReply, CompleteToolCall, WireFinish } from '../reply.ts';
import { parsedArguments } from '../reply.ts';
import { answerAsCall } from './answer-tool.ts';
import { anthropicErrorBody } from './anthropic-errors.ts';

const STOP_REASON: Readonly<Record<WireFinish, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  filter: 'refusal',
};

/** `POST /v1/messages`. */
export const anthropic: FormatAdapter = {
  basePath: '/v1',
  newline: '\n',
  body: (reply, asked) => body(answered(reply, asked), asked),
  frames: (reply, asked) => frames(answered(reply, asked), asked),
  errorBody: anthropicErrorBody,
  errorFrame: () => frame('delta', 'error', anthropicErrorBody(529)),
  promptLines,
};

/** Ids look like the provider's: it takes back no others. */
function answered(reply: CompleteReply, { body: { tools, tool_choice } }: Asked): CompleteReply {
  const forced = ['tool', 'any'].includes(String(asObject(tool_choice).type));
  const names = forced ? asList(tools).map((tool) => asObject(tool).name) : [];
  const whole = answerAsCall(reply, names);
  const toolCalls = whole.toolCalls.map((call) => ({ ...call, id: call.id.replace(/^call_/, 'toolu_') }));
  return { ...whole, toolCalls };
}

function body(reply: CompleteReply, asked: Asked): object {
  return {
    ...head(asked),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.toolCalls.map((call) => ({ ...toolUse(call), input: parsedArguments(call) })),
    ],
    stop_reason: STOP_REASON[reply.finish],
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: reply.usage.output, service_tier: 'standard' },
  };
}

function frames(reply: CompleteReply, asked: Asked): Frame[] {
  const message = {
    ...head(asked),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: 1, service_tier: 'standard' },
  };
  const hasText = reply.text !== '';
  return [
    frame('start', 'message_start', { message }),
    frame('start', 'ping', {}),
    ...(hasText ? block(0, { type: 'text', text: '' }, textDeltas(reply.text)) : []),
    ...reply.toolCalls.flatMap((call, index) =>
      block(index + (hasText ? 1 : 0), { ...toolUse(call), input: {} }, inputDeltas(call.arguments)),
    ),
    frame('end', 'message_delta', {
      delta: { stop_reason: STOP_REASON[reply.finish], stop_sequence: null },
      usage: { ...inputUsage(reply), output_tokens: reply.usage.output },
    }),
    frame('done', 'message_stop', {}),
  ];
}

function block(index: number, content_block: object, deltas: readonly object[]): Frame[] {
  return [
    frame('block-start', 'content_block_start', { index, content_block }),
    ...deltas.map((delta) => frame('delta', 'content_block_delta', { index, delta })),
    frame('block-end', 'content_block_stop', { index }),
  ];
}

function textDeltas(text: string): object[] {
  return pieces(text).map((piece) => ({ type: 'text_delta', text: piece }));
}

/** The first piece of an input is empty. */
function inputDeltas(text: string): object[] {
  return ['', ...pieces(text)].map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
}

function head({ number, model }: Asked): object {
  return { id: `msg_wire${number}`, type: 'message', role: 'assistant', model };
}

function toolUse({ id, name }: CompleteToolCall): object {
  return { type: 'tool_use', id, name };
}

/** `input_tokens` are only those after the cached part. */
function inputUsage({ usage: { input, cached, cacheWrite } }: CompleteReply): object {
  return {
    input_tokens: input - cached - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
  };
}

/** A line a content block: blocks that are added to the last message leave the lines before them as they were. */
function promptLines({ tools, system, messages }: JsonObject): string[] {
  return [
    ...asList(tools).map((tool) => `tool ${JSON.stringify(unmarked(tool))}`),
    ...blocks(system).map((block) => `system ${JSON.stringify(unmarked(block))}`),
    ...asList(messages).flatMap((message) => {
      const { role, content } = asObject(message);
      return blocks(content).map((block) => `${String(role)} ${JSON.stringify(unmarked(block))}`);
    }),
  ];
}

function blocks(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content);
}

function unmarked(block: unknown): object {
  const entries = Object.entries(asObject(block)).filter(([key]) => key !== 'cache_control');
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === 'content' && Array.isArray(value) ? value.map(unmarked) : value,
    ]),
  );
}

function frame(part: FramePart, type: string, fields: object): Frame {
  return { part, event: type, data: JSON.stringify({ type, ...fields }) };
}
