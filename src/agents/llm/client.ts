import type { WorkEvent } from '../../events.ts';
import type { Usage } from '../../schema/generated.ts';

/** A model behind retries, fallbacks, budgets and the recording. */
export interface ModelClient {
  /** `provider/model` as the user named it. */
  readonly name: string;
  /**
   * One conversation: the model is asked, its tool calls are run in order, and it is asked again, until it ends by
   * itself or a limit ends it. Never rejects for what the model, its API or a tool does: that is the reply's
   * `ending`. Throws RalphError where the model cannot be used at all: no provider, no key.
   */
  converse(conversation: Conversation): Promise<Reply>;
}

export interface Conversation {
  /** The same bytes in every attempt, loop and repository, for the provider's prompt cache. */
  readonly system: string;
  readonly prompt: string;
  /** By name; the order is part of what is cached. */
  readonly tools?: Readonly<Record<string, ModelTool>>;
  /** JSON schema of the one answer, for providers that hold a model to it; the answer is still unchecked text. */
  readonly answerSchema?: object;
  /** Model calls at most. */
  readonly maxSteps: number;
  /** What the model is told where it ends by itself; undefined lets it end. Asked at most three times. */
  readonly onEnd?: (text: string) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** Never throws. */
  readonly onWork: (event: WorkEvent) => void;
}

/** Something that the model can call. */
export interface ModelTool {
  readonly description: string;
  /** JSON schema of an object; what the model gives is checked against it before `run`. */
  readonly inputSchema: object;
  /** The result as the model reads it, bounded. What it throws is told to the model as an error. */
  run(input: never, signal: AbortSignal): Promise<string>;
}

export interface Reply {
  /** What the model said last; all of its texts where it called no tools. */
  readonly text: string;
  readonly ending: ReplyEnding;
  /** Why it ended, as a sentence for the user; empty for `stopped`. */
  readonly detail: string;
  /** For `failed`: no later call of this loop could do better, or what the user can do about it. */
  readonly failure?: ModelFailure;
  /** Model calls that were answered. */
  readonly steps: number;
  /** Of all calls of the conversation, failed ones that were charged included. */
  readonly usage: Usage;
}

/**
 * `stopped`: by itself. `length`: cut off by its output limit. `refused`: by the model or its provider's filter.
 * `steps`: every call used up. `confused`: calls that no tool could take, again and again.
 * `budget`: the next call would break a budget. `aborted`: by the signal. `failed`: the API did not answer.
 */
export type ReplyEnding =
  'stopped' | 'length' | 'refused' | 'steps' | 'confused' | 'budget' | 'aborted' | 'failed';

/** How a model's API failed, when tries and fallbacks were used up. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  readonly message: string;
  readonly hint?: string;
  /** HTTP status, where there was one. */
  readonly statusCode?: number;
  /** Asking again cannot help: key, permission, unknown model, a URL that is no API. */
  readonly permanent: boolean;
}

export type ModelFailureKind =
  /** 401: the key is missing or wrong. */
  | 'key'
  /** 402, 403: not allowed, not paid. */
  | 'permission'
  /** 404: no such model, or no such path. */
  | 'not_found'
  /** 429 to the end. */
  | 'rate_limit'
  /** 408, 409, 5xx, 529 to the end. */
  | 'server'
  /** Refused, reset, not resolved. */
  | 'network'
  /** Silent for too long, or not finished in time. */
  | 'timeout'
  /** 400, 413, 422: the request itself was not taken. */
  | 'request'
  /** The model does not take tool calls. */
  | 'no_tools'
  /** The answer is not what the API's format says: cut off, not JSON, HTML, too long. */
  | 'reply'
  /** The recording has no such call. */
  | 'recording';
