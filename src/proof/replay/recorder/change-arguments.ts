import type { decodeValue, encodeValue } from '../call-values.ts';
import type { Recorder } from '../recorder.ts';
import type { AnyFunction } from './session.ts';

/**
 * What happens to a call: `copied`: the function gets copies of lists, objects and what else holds values; `restored`: so it does, and a copy that it
 * returns becomes the argument again; `other`: it gets them with other content; `unanswered`: its result is withheld;
 * `detached`: its result is a copy; `deferred`: it is a promise; `dressed`: it is an object of a class; `answered`: calls with known arguments have the results that are given for them.
 */
export type ChangedCall =
  'copied' | 'restored' | 'other' | 'unanswered' | 'detached' | 'deferred' | 'dressed' | 'answered';

/** Results for calls, by the names of functions and the texts of arguments, and what reads and writes these texts. */
export interface GivenAnswers {
  readonly encode: typeof encodeValue;
  readonly decode: typeof decodeValue;
  readonly results: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * In place of a recorder: changes the calls of the named functions and methods. Its source text becomes part of a source,
 * so it must not refer to anything outside of its body.
 */
export function createArgumentChanger(
  change: ChangedCall,
  names: readonly string[],
  answers?: GivenAnswers,
): Recorder {
  const { apply } = Reflect;
  const isOpen = (value: unknown): value is object =>
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
  const isHolder = (value: unknown): boolean =>
    ArrayBuffer.isView(value) || /^\[object (?:Date|Map|Set)\]$/.test(Object.prototype.toString.call(value));
  const copyOf = (value: unknown): unknown => {
    try {
      // A structured clone of a Buffer is a plain Uint8Array.
      if (Buffer.isBuffer(value)) return Buffer.from(value);
      if (value instanceof URL) return new URL(value.href);
      if (value instanceof URLSearchParams) return new URLSearchParams(value);
      return isOpen(value) || isHolder(value) ? structuredClone(value) : value;
    } catch {
      return value;
    }
  };
  const alter = (value: unknown): void => {
    if (Array.isArray(value) && value.length === 0) value.push(7);
    else if (Array.isArray(value)) value.length = 0;
    else if (value instanceof Map) value.set('other', value.size);
    else if (value instanceof Set) value.add('other');
    else if (value instanceof Date) value.setTime(value.getTime() + 100_000_000);
    else if (value instanceof URL) value.searchParams.append('other', '1');
    else if (value instanceof URLSearchParams) value.append('other', '1');
    else if (ArrayBuffer.isView(value))
      new Uint8Array(value.buffer, value.byteOffset, value.byteLength).fill(7);
    else if (isOpen(value))
      for (const [key, inner] of Object.entries(value))
        if (typeof inner === 'number') (value as Record<string, unknown>)[key] = inner + 1;
        else alter(inner);
  };
  /** Text of the known result; undefined for an unknown one. */
  const answerTo = (name: string, args: unknown[]): string | undefined => {
    try {
      return answers?.results[name]?.[answers.encode(args)];
    } catch {
      return undefined;
    }
  };
  const wrap = (name: string, fn: unknown): unknown => {
    if (typeof fn !== 'function' || !names.includes(name) || /^class\b/.test(String(fn))) return fn;
    const changed = function (this: unknown, ...args: unknown[]): unknown {
      if (new.target !== undefined) return Reflect.construct(fn, args, new.target) as unknown;
      if (change === 'unanswered') return void apply(fn as AnyFunction, this, args);
      if (change === 'other') {
        for (const it of args) alter(it);
        return apply(fn as AnyFunction, this, args);
      }
      const answer = change === 'answered' ? answerTo(name, args) : undefined;
      if (answer !== undefined) return answers!.decode(answer);
      if (change === 'answered') return apply(fn as AnyFunction, this, args);
      if (change === 'deferred') return Promise.resolve().then(() => apply(fn as AnyFunction, this, args));
      if (change === 'dressed') {
        const dressed = copyOf(apply(fn as AnyFunction, this, args));
        if (isOpen(dressed) && !Array.isArray(dressed))
          Object.setPrototypeOf(dressed, Object.create(Object.prototype, { constructor: { value: wrap } }));
        return dressed;
      }
      if (change === 'detached') return copyOf(apply(fn as AnyFunction, this, args));
      const copies = args.map(copyOf);
      const result: unknown = apply(fn as AnyFunction, this, copies);
      const at = change === 'restored' ? copies.indexOf(result) : -1;
      return at === -1 ? result : args[at];
    };
    return Object.defineProperties(changed, Object.getOwnPropertyDescriptors(fn));
  };
  const wrapIn = (owner: object): void => {
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (writable === true && name !== 'constructor')
        (owner as Record<string, unknown>)[name] = wrap(name, value);
  };
  return {
    call: wrap,
    type: (_, type) => {
      // An arrow function has none.
      const prototype: unknown = typeof type === 'function' ? type.prototype : undefined;
      if (typeof prototype === 'object' && prototype !== null) wrapIn(prototype);
    },
    value: (_, value) => {
      if (isOpen(value)) wrapIn(value);
    },
    begin: () => ({ at: -1, args: undefined, isOutermost: false }),
    made: () => undefined,
    end: () => undefined,
  };
}
