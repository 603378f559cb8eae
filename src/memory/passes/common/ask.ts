import type { Usage } from '../../../schema/generated.ts';

/** One question to a model. */
export interface AskRequest {
  /** The same bytes each time. */
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the one answer; the answer is still unchecked text. */
  readonly answerSchema: object;
  readonly signal: AbortSignal;
}

/** What came back: a text, or why there is none as a sentence. */
export type AskReply =
  { readonly text: string; readonly usage: Usage } | { readonly failed: string; readonly usage?: Usage };

/** Asks the configured model. Expected never to reject, and to end early where the signal is aborted. */
export type AskModel = (request: AskRequest) => Promise<AskReply>;
