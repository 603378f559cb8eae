import type { FaultReason, FaultStatus } from './fault.ts';
import type { Frame } from './frame.ts';
import type { CompleteReply } from './reply.ts';

/** The wire formats that the server speaks. */
export type WireFormat = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** How one provider says things. */
export interface FormatAdapter {
  /** Path that a provider's base URL ends with. */
  readonly basePath: string;
  /** The whole reply as one JSON value. */
  body(reply: CompleteReply, asked: Asked): object;
  /** The whole reply as a stream. */
  frames(reply: CompleteReply, asked: Asked): Frame[];
  /** Body of an HTTP error. */
  errorBody(status: FaultStatus, reason?: FaultReason): object;
  /** An overloaded provider's word in a stream that began with 200. */
  errorFrame(): Frame;
  /** Tools, system prompt and messages in the order in which they are cached; one line a block, markers removed. */
  promptLines(body: JsonObject): string[];
  /** Line end of the event stream. */
  readonly newline: '\n' | '\r\n';
}

/** What of the request its reply depends on. */
export interface Asked {
  /** 0-based number among the model calls of the server. */
  readonly number: number;
  readonly model: string;
  readonly body: JsonObject;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** `value` as an object; an empty one where it is none. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** `value` as a list; an empty one where it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
