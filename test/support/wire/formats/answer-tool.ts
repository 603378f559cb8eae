import type { CompleteReply } from '../reply.ts';

/**
 * Where a client asks for structured output by forcing a call of its tool `json`, a model cannot answer with text: the
 * text becomes the input of that call. `names` are the tools of a request that forces a call.
 */
export function answerAsCall(reply: CompleteReply, names: readonly unknown[]): CompleteReply {
  const { text, toolCalls, finish } = reply;
  if (!names.includes('json') || text === '' || toolCalls.length > 0 || finish === 'refusal') return reply;
  const call = { name: 'json', id: 'call_answer', arguments: text };
  return { ...reply, text: '', toolCalls: [call], finish: finish === 'stop' ? 'tool-calls' : finish };
}
