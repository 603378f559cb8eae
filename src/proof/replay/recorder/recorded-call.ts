/** A call, as a line of the recording. */
export interface RecordedCall {
  /** Name of the process and of the copy of the source in it, in which it was made. */
  readonly realm: string;
  /** Position among the calls of the realm, from 0. */
  readonly at: number;
  /** Source with the function, relative to the root. */
  readonly source: string;
  /** Name of the export, `module.exports` for a CommonJS module that is a function, or name of the property of `on`. */
  readonly name: string;
  /** Default: `call`; `new` for the constructor `name`; `value` for the export itself; access to a property of `on`. */
  readonly kind?: 'call' | 'new' | 'value' | 'get' | 'set';
  /** Position of the call that made the object or function that it is a call of; absent for a function of the source. */
  readonly on?: number;
  /** The arguments, by `encodeValue`; absent if they cannot be copied. */
  readonly args?: string;
  /** The result, by `encodeValue`, or the name of the error after `throws `; absent if it cannot be compared. */
  readonly result?: string;
  /** True if the result is an object that compares equal to values of other kinds. */
  readonly isLoose?: boolean;
  /** True if the result is one of the arguments. */
  readonly isGiven?: boolean;
  /** The file that the process was started with, absolute; empty for code of the command line. */
  readonly entry: string;
  /** The time by the clock that the code saw, in milliseconds. */
  readonly clock: number;
}

/** A call of a function that a test gave, as a line of the recording. */
export interface RecordedCallback {
  readonly realm: string;
  /** Position among all calls of such functions in the realm. */
  readonly order: number;
  /** Number of the function among those of the realm. */
  readonly callback: number;
  /** Position of the recorded call that received it first. */
  readonly of: number;
  /** Position of the recorded call in which it was called; absent if later. */
  readonly during?: number;
  /** The arguments and the result, by `encodeValue`; absent if they cannot be copied. */
  readonly args?: string;
  readonly returned?: string;
  /** True for a result that was a promise. */
  readonly isAsync?: boolean;
}

/** A function that a test gave, as a line of the recording: code may look at how many parameters it has. */
export interface GivenFunction {
  readonly realm: string;
  /** Number of the function among those of the realm. */
  readonly given: number;
  /** Position of the recorded call that received it first. */
  readonly of: number;
  readonly length: number;
  readonly name: string;
}
