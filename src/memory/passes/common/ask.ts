import type { Usage } from '../../../schema/generated.ts';

/** One question to a model. */
export interface AskRequest {
  /** The same bytes in every call of a pass, so that providers can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer; the reply's text is not checked against it yet. */
  readonly answerSchema: object;
  readonly signal: AbortSignal;
}

/** The reply's text, or a sentence that says why there is none. */
export type AskReply =
  { readonly text: string; readonly usage: Usage } | { readonly failed: string; readonly usage?: Usage };

/** Asks the configured model. Must never reject, and should end early when the signal is aborted. */
export type AskModel = (request: AskRequest) => Promise<AskReply>;
