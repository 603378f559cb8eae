import type { Asked, FormatAdapter, JsonObject } from '../format.ts';
import { asList, asObject } from '../format.ts';
import type { Frame, FramePart } from '../frame.ts';
import { pieces } from '../frame.ts';
import type { CompleteReply, CompleteToolCall, WireFinish } from '../reply.ts';
import { parsedOr } from '../reply.ts';
import { answerAsCall } from './answer-tool.ts';
import { geminiErrorBody } from './gemini-errors.ts';

const FINISH: Readonly<Record<WireFinish, string>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  filter: 'PROHIBITED_CONTENT',
};

/** What a client must send back with the first call of a turn, unchanged. */
export const THOUGHT_SIGNATURE = 'd2lyZS1zaWduYXR1cmU=';

/** `POST /v1beta/models/<id>:generateContent` and `:streamGenerateContent?alt=sse`. */
export const gemini: FormatAdapter = {
  basePath: '/v1beta',
  newline: '\r\n',
  body: (reply, asked) => body(answered(reply, asked), asked),
  frames: (reply, asked) => frames(answered(reply, asked), asked),
  errorBody: geminiErrorBody,
  errorFrame: () => frame('delta', geminiErrorBody(503)),
  promptLines,
};

function answered(reply: CompleteReply, { body: { tools, toolConfig } }: Asked): CompleteReply {
  const forced = asObject(asObject(toolConfig).functionCallingConfig).mode === 'ANY';
  return answerAsCall(reply, forced ? declarations(tools).map((tool) => asObject(tool).name) : []);
}

function body(reply: CompleteReply, asked: Asked): object {
  if (reply.finish === 'filter') return blocked(reply, asked);
  const parts = [...(reply.text === '' ? [] : [{ text: reply.text }]), ...callParts(reply.toolCalls)];
  return { candidates: [ended(reply, parts)], usageMetadata: usage(reply), ...head(asked) };
}

/** Nothing opens a stream, calls come whole, and the last chunk has why it ended and the usage. */
function frames(reply: CompleteReply, asked: Asked): Frame[] {
  if (reply.finish === 'filter') return [frame('end', blocked(reply, asked))];
  const soFar = { usageMetadata: { ...usage(reply), candidatesTokenCount: 1 }, ...head(asked) };
  const chunk = (part: object) =>
    frame('delta', { candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }], ...soFar });
  return [
    ...pieces(reply.text).map((text) => chunk({ text })),
    ...callParts(reply.toolCalls).map(chunk),
    frame('end', { candidates: [ended(reply, [])], usageMetadata: usage(reply), ...head(asked) }),
  ];
}

/** The prompt was stopped before the model: there is no candidate. */
function blocked(reply: CompleteReply, asked: Asked): object {
  const usageMetadata = { promptTokenCount: reply.usage.input, totalTokenCount: reply.usage.input };
  return { promptFeedback: { blockReason: FINISH.filter }, usageMetadata, ...head(asked) };
}

/** Arguments that are no object are found out by the provider: it tells of them and gives no call. */
function ended(reply: CompleteReply, parts: readonly object[]): object {
  const malformed = reply.toolCalls.find((call) => !isObjectText(call.arguments));
  const content = parts.length > 0 ? { parts, role: 'model' } : { role: 'model' };
  if (!malformed || reply.finish === 'length')
    return { content, finishReason: FINISH[reply.finish], index: 0 };
  return {
    content,
    finishReason: 'MALFORMED_FUNCTION_CALL',
    finishMessage: `Malformed function call: ${malformed.name}(${malformed.arguments})`,
    index: 0,
  };
}

function callParts(calls: readonly CompleteToolCall[]): object[] {
  return calls
    .filter((call) => isObjectText(call.arguments))
    .map((call, index) => ({
      functionCall: { id: call.id, name: call.name, args: JSON.parse(call.arguments) as unknown },
      ...(index === 0 && { thoughtSignature: THOUGHT_SIGNATURE }),
    }));
}

function isObjectText(text: string): boolean {
  const value = parsedOr(text, undefined);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function head({ number, model }: Asked): object {
  return { modelVersion: model, responseId: `gemini-wire${number}` };
}

function usage({ usage: { input, output, cached } }: CompleteReply): object {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    ...(cached > 0 && {
      cachedContentTokenCount: cached,
      cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }],
    }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
  };
}

function promptLines({ tools, systemInstruction, contents }: JsonObject): string[] {
  return [
    ...declarations(tools).map((tool) => `tool ${JSON.stringify(tool)}`),
    ...asList(asObject(systemInstruction).parts).map((part) => `system ${JSON.stringify(part)}`),
    ...asList(contents).flatMap((content) => {
      const { role, parts } = asObject(content);
      return asList(parts).map((part) => `${String(role)} ${JSON.stringify(part)}`);
    }),
  ];
}

function declarations(tools: unknown): readonly unknown[] {
  return asList(tools).flatMap((tool) => asList(asObject(tool).functionDeclarations));
}

function frame(part: FramePart, data: object): Frame {
  return { part, data: JSON.stringify(data) };
}
