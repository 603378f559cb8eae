import type { WorkEvent } from '../../events.ts';
import type { Usage } from '../../schema/generated.ts';

/** A language model with retries, fallback models, budgets and recording. */
export interface ModelClient {
  /** `provider/model` as the user named it. */
  readonly name: string;
  /**
   * Holds one conversation: calls the model, runs its tool calls and calls it again, until the model stops
   * or a limit is reached. Failures of the model, its API or a tool do not reject: they are the reply's `ending`.
   * Rejects with RalphError if the model cannot be used at all: unknown provider, missing key.
   */
  converse(conversation: Conversation): Promise<Reply>;
}

export interface Conversation {
  /** Identical in every attempt, loop and repository, so that the provider's prompt cache applies. */
  readonly system: string;
  readonly prompt: string;
  /** Tools by name; their order is part of the cached prefix. */
  readonly tools?: Readonly<Record<string, ModelTool>>;
  /** JSON schema of the answer, for providers with structured output; the reply's text is not validated. */
  readonly answerSchema?: object;
  /** The maximum number of model calls. */
  readonly maxSteps: number;
  /** Whether a model whose last call failed for another client of the loop is passed over. Default: false. */
  readonly onlyIfHealthy?: boolean;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly onWork: (event: WorkEvent) => void;
}

/** A tool that the model can call. */
export interface ModelTool {
  readonly description: string;
  /** JSON schema of an object; the model's input is validated against it before `run`. */
  readonly inputSchema: object;
  /** True if calls of one reply may run side by side with each other; default: in the order of the reply. */
  readonly onlyReads?: boolean;
  /** Returns the result as text of bounded length. An error that it throws is sent to the model. */
  run(input: never, signal: AbortSignal): Promise<string>;
}

export interface Reply {
  /** The text of the last step that had any. */
  readonly text: string;
  readonly ending: ReplyEnding;
  /** The reason for the ending, as a sentence for the user; empty for `stopped`. */
  readonly detail: string;
  /** Set for `failed` if a model's API failed. */
  readonly failure?: ModelFailure;
  /** The number of answered model calls. */
  readonly steps: number;
  /** The sum over all calls, failed calls that were charged included. */
  readonly usage: Usage;
}

/**
 * `stopped`: the model finished. `length`: cut off at the output limit. `refused`: by the model or the provider's
 * filter. `steps`: `maxSteps` calls were made. `stuck`: the model repeated invalid or identical calls.
 * `budget`: the next call would exceed a budget. `aborted`: by the signal. `failed`: the API did not answer.
 */
export type ReplyEnding =
  'stopped' | 'length' | 'refused' | 'steps' | 'stuck' | 'budget' | 'aborted' | 'failed';

/** The failure of a model's API after all retries and fallback models. */
export interface ModelFailure {
  readonly kind: ModelFailureKind;
  readonly message: string;
  readonly hint?: string;
  /** HTTP status, if there was a response. */
  readonly statusCode?: number;
  /** Whether every later call would fail as well: a wrong key, no permission, an unknown model, a wrong URL. */
  readonly permanent: boolean;
}

export type ModelFailureKind =
  /** 401: the key is missing or wrong. */
  | 'key'
  /** 402, 403: no permission, or no credit. */
  | 'permission'
  /** 404: unknown model or path. */
  | 'not_found'
  /** 429 on every try. */
  | 'rate_limit'
  /** 408, 409, 425, 5xx on every try. */
  | 'server'
  /** Connection refused or reset, or the host name was not resolved. */
  | 'network'
  /** No data for too long, or not finished in time. */
  | 'timeout'
  /** 400, 413, 422: the API rejected the request. */
  | 'request'
  /** The model does not support tool calls. */
  | 'no_tools'
  /** The reply does not follow the API's format: cut off, not JSON, HTML, too large. */
  | 'reply'
  /** The model, or a filter of its provider, refused to answer. */
  | 'refusal'
  /** The recording has no further call. */
  | 'recording';
