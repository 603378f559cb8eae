import type { WireFault } from './fault.ts';

/** What the scripted model answers, in no provider's words; each format renders it in its own. */
export interface WireReply {
  readonly text?: string;
  readonly toolCalls?: readonly WireToolCall[];
  /** `tool-calls` where there are calls and `stop` where there are none, unless said otherwise. */
  readonly finish?: WireFinish;
  /** Estimated from the bytes of the request and of the reply when absent. */
  readonly usage?: WireUsage;
  /** Silence before the headers. */
  readonly delayMs?: number;
  readonly fault?: WireFault;
}

export interface WireToolCall {
  readonly name: string;
  /** An object, or the raw text of the arguments, which need not be JSON. */
  readonly input: object | string;
  /** Made from the number of the request and of the call when absent. */
  readonly id?: string;
}

/** `refusal` is the model's own, `filter` the provider's. */
export type WireFinish = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'filter';

/** Tokens. */
export interface WireUsage {
  /** All of them, those read from or written to the cache included. */
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
}

/** A reply with nothing left open. */
export interface CompleteReply {
  readonly text: string;
  readonly toolCalls: readonly CompleteToolCall[];
  readonly finish: WireFinish;
  readonly usage: Required<WireUsage>;
}

export interface CompleteToolCall {
  readonly name: string;
  readonly id: string;
  /** The text of the arguments as the model wrote them. */
  readonly arguments: string;
}

const REFUSAL = "I'm sorry, but I can't help with that.";
const BYTES_A_TOKEN = 4;

/** `number` is the request's, `requestBytes` the size of its body. */
export function completeReply(reply: WireReply, number: number, requestBytes: number): CompleteReply {
  const toolCalls = (reply.toolCalls ?? []).map((call, index) => completeCall(call, `${number}_${index}`));
  const finish = reply.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop');
  const text = reply.text ?? (finish === 'refusal' ? REFUSAL : '');
  const replyBytes = text.length + toolCalls.reduce((sum, call) => sum + call.arguments.length, 0);
  const estimate = { input: tokens(requestBytes), output: tokens(replyBytes), cached: 0, cacheWrite: 0 };
  return { text, toolCalls, finish, usage: { ...estimate, ...reply.usage } };
}

/** The arguments as a value; the raw text itself where it is not JSON. */
export function parsedArguments(call: CompleteToolCall): unknown {
  return parsedOr(call.arguments, call.arguments);
}

/** What `text` holds as JSON, or `otherwise`. */
export function parsedOr<T>(text: string, otherwise: T): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function completeCall({ name, input, id }: WireToolCall, suffix: string): CompleteToolCall {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { name, id: id ?? `call_${suffix}`, arguments: text };
}

function tokens(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BYTES_A_TOKEN));
}
