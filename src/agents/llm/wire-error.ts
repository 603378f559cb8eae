import type { ModelFailureKind } from './client.ts';

/** A failure of the HTTP exchange with a model's API, found before the provider package could read the reply. */
export class WireError extends Error {
  readonly kind: ModelFailureKind;
  /** Whether asking again may help. */
  readonly transient: boolean;
  readonly hint: string | undefined;
  /** The number of tries after which asking again is no use; undefined: no limit of its own. */
  readonly maxTries: number | undefined;

  constructor(
    message: string,
    options: { kind: ModelFailureKind; transient: boolean; hint?: string; maxTries?: number },
  ) {
    super(message);
    this.name = 'WireError';
    this.kind = options.kind;
    this.transient = options.transient;
    this.hint = options.hint;
    this.maxTries = options.maxTries;
  }
}
