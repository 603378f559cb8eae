/** How a call behaves beside its result. */
export interface Behaviour {
  /** Kind of the result: `number`, `Array`, `Promise`, `Set Iterator`, `throws TypeError`. */
  readonly kind: string;
  /** By `encodeValue`: the result, what a promise settles to at once, or a list of what an iterator gives. */
  readonly plain?: string | undefined;
  /** What the call throws, or its promise rejects with at once. */
  readonly thrown?: Thrown | undefined;
  /** Results of the same call made three more times in a row; none where that is not tried. */
  readonly again: readonly string[];
  /** Whether the result is still the same after further calls of the function. */
  readonly isKept: boolean;
  /** Whether a caller that changes the result changes those of further calls. */
  readonly isShared: boolean;
  /** Whether an argument can no longer be changed. */
  readonly freezes: boolean;
  /** Whether the result is a list or object to which nothing can be added. */
  readonly isFixed: boolean;
  /** Whether the call gives every object of the process a member. */
  readonly pollutes: boolean;
  /** Whether it returns the old result for an argument whose content has changed since. */
  readonly isStale: boolean;
  /** Whether the result has lists and objects of the arguments in it, or copies of them. */
  readonly parts: 'shared' | 'copied' | '';
  /** Methods of the result's classes; of a loaded module, those of what it exports. */
  readonly methods: readonly string[];
  /** What the call does beside, such as `prints something`. */
  readonly effects: readonly string[];
  /** Milliseconds in which the call kept everything else waiting, and computed nothing. */
  readonly stopsMs: number;
  /** Milliseconds that it computed. */
  readonly computesMs: number;
  /** Whether it was ended because it took too long. */
  readonly isEnded: boolean;
}

export interface Thrown {
  /** Names of the error's classes, from its own one; none for what is no error. */
  readonly classes: readonly string[];
  /** Whether a source made it, and not an operation of the language. */
  readonly isMade: boolean;
  /** Its name, message and own properties, by `encodeValue`; absent if they cannot be compared, or differ from time to time. */
  readonly tells?: string | undefined;
}
