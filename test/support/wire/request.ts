import { Buffer } from 'node:buffer';
import { formats } from './formats/index.ts';
import type { JsonObject, WireFormat } from './format.ts';

/** One model call as it came in. */
export interface WireRequest {
  /** 0-based, among the model calls of the server. */
  readonly number: number;
  /** With its query. */
  readonly path: string;
  readonly format: WireFormat;
  readonly model: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw text of the body. */
  readonly body: string;
  /** The body parsed; empty where it was no JSON object. */
  readonly json: JsonObject;
  readonly streaming: boolean;
  /** Milliseconds since the server was started. */
  readonly atMs: number;
  /** How its answer ended, so far. */
  readonly outcome: WireOutcome;
}

/** `cut`: by a fault of the script. `left`: the client, or the server's `close`, ended it before it was whole. */
export type WireOutcome = 'open' | 'answered' | 'cut' | 'left';

/**
 * Tools, system prompt and messages of a request in the order in which providers cache them, one line each, as sent
 * but without cache markers. A later request of the same conversation begins with the text of the earlier one.
 */
export function promptOf(request: WireRequest): string {
  return formats[request.format]
    .promptLines(request.json)
    .map((line) => `${line}\n`)
    .join('');
}

/** Whether all of `earlier` is the beginning of `later`, so that its cache can be used. */
export function isPromptPrefix(earlier: WireRequest, later: WireRequest): boolean {
  return promptOf(later).startsWith(promptOf(earlier));
}

/** Bytes of a request's body. */
export function sizeOf(request: WireRequest): number {
  return Buffer.byteLength(request.body);
}
