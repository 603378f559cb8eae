import type { ModelFailureKind } from './client.ts';

/** What went wrong between us and a model's API, before its provider could read the answer. */
export class WireError extends Error {
  readonly kind: ModelFailureKind;
  /** Asking again may help. */
  readonly transient: boolean;
  readonly hint: string | undefined;

  constructor(message: string, options: { kind: ModelFailureKind; transient: boolean; hint?: string }) {
    super(message);
    this.name = 'WireError';
    this.kind = options.kind;
    this.transient = options.transient;
    this.hint = options.hint;
  }
}
