import type { TryFailure } from './failures.ts';

/** Thrown through the AI SDK's tool loop to end the conversation: a budget is used up, or the API failed. */
export class ConversationEnd extends Error {
  override readonly name = 'ConversationEnd';
  readonly end:
    | { readonly kind: 'budget'; readonly reason: string }
    | { readonly kind: 'failed'; readonly failure: TryFailure };

  constructor(end: ConversationEnd['end']) {
    super(end.kind === 'budget' ? end.reason : end.failure.message);
    this.end = end;
  }
}
