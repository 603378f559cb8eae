import type { recordGiven } from './recorder/given-functions.ts';
import type { seekHiddenMembers } from './recorder/hidden-members.ts';
import type { recordMade, Wrapped } from './recorder/made-objects.ts';
import type { seekOddities } from './recorder/odd-values.ts';
import type { AnyFunction, openSession, RecordingTarget } from './recorder/session.ts';

/** What an instrumented source calls. */
export interface Recorder {
  /** A function that records its calls. Classes are returned unchanged. */
  call(name: string, fn: unknown): unknown;
  /** Records the calls of an exported class's methods. */
  type(name: string, type: unknown): void;
  /** Records an exported value, and the calls of its functions. */
  value(name: string, value: unknown): void;
  /** Begins the construction of an instance. */
  begin(given: ArrayLike<unknown>): Construction;
  /** Records the construction, if it was made by the class itself. */
  made(self: object, type: unknown, construction: Construction): void;
  end(construction: Construction): void;
}

interface Construction {
  readonly at: number;
  readonly args: string | undefined;
  readonly isOutermost: boolean;
}

/** The parts of a recorder, as functions whose source text becomes part of a source. */
export interface RecorderParts {
  readonly open: typeof openSession;
  readonly givenBy: typeof recordGiven;
  readonly madeBy: typeof recordMade;
  readonly hiddenBy: typeof seekHiddenMembers;
  readonly oddBy: typeof seekOddities;
}

/**
 * A recorder of the outermost calls of a source (relative to the root). Its source text becomes part of a source, so it must
 * not refer to anything outside of its body.
 */
export function createRecorder(
  { open, givenBy, madeBy, hiddenBy, oddBy }: RecorderParts,
  target: RecordingTarget,
  source: string,
): Recorder {
  const session = open(target);
  const { state, isClass, isPromise, isObject, isInstance, isLoose, isNew, isPassed, nameOf } = session;
  const { tryEncode, encodeArgs, look, put, taint } = session;
  const { apply, construct } = Reflect;
  const { then } = Promise.prototype;
  const { getPrototypeOf, getOwnPropertyDescriptors, defineProperties } = Object;
  const entry = process.argv[1] ?? '';
  const OPAQUE = '{"h":true}';
  const NO_ERROR = 'throws something that is no Error';
  const NO_TEXT = 'throws an error whose name or message is no text';
  const { isNativeError } = process.getBuiltinModule('node:util').types;
  const isError = (error: unknown): boolean => error instanceof Error || isNativeError(error);
  const isText = (error: object, key: string): boolean =>
    typeof (error as Record<string, unknown>)[key] === 'string';
  const given = givenBy(session);
  const { follow, patch, patchOwn } = madeBy(session, (wrapped) => wrap(wrapped));
  const hiddenIn = hiddenBy(session);
  const oddIn = oddBy(session);
  const noteHidden = (name: string, value: unknown): void => {
    for (const hides of hiddenIn(value)) put({ hides, source, name });
  };
  const noteOdd = (name: string, value: unknown, fn: AnyFunction, args: readonly unknown[]): void => {
    for (const says of oddIn(value, String(fn), args)) put({ says, source, name });
  };

  const noteThrown = (name: string, error: unknown, fn: AnyFunction): void => {
    const odd = oddIn(error, String(fn)).map((says) => says.replace('returns', 'throws'));
    const isOdd = isError(error) && !['name', 'message'].every((key) => isText(error as object, key));
    for (const says of isError(error) ? odd : [NO_ERROR]) put({ says, source, name });
    if (isOdd) put({ says: NO_TEXT, source, name });
  };

  const wrap = ({ name, fn, kind, handle: own, isExport }: Wrapped): unknown => {
    const recorded = function (this: unknown, ...args: unknown[]): unknown {
      if (new.target !== undefined)
        return construct(fn, args, new.target === recorded ? fn : new.target) as unknown;
      if (state.isLooking) return apply(fn, this, args);
      if (state.depth > 0) {
        if (state.inCallback > 0) taint(state.during);
        return apply(fn, this, args);
      }
      const handle = own ?? (isExport === true || !isObject(this) ? undefined : state.handles.get(this));
      if (isExport !== true && handle === undefined) {
        state.unrecorded++;
        return apply(fn, this, args);
      }
      if (!isNew(`${handle === undefined ? '' : '.'}${name}`)) {
        if (handle !== undefined) handle.isLost = true;
        state.unrecorded++;
        return apply(fn, this, args);
      }
      const at = state.next++;
      const isFree =
        handle !== undefined ||
        this === undefined ||
        this === globalThis ||
        (this as Record<string, unknown>)[name] === recorded;
      if (handle !== undefined && own === undefined && look(this as object) !== handle.seen)
        handle.isLost = true;
      const isRepeated = args.some((it) => typeof it === 'object' && it !== null && isPassed(it));
      const isUsable = isFree && handle?.isLost !== true && !isRepeated;
      const passed = args.map((it) =>
        typeof it === 'function' && !isClass(it) ? given(it as AnyFunction, at) : it,
      );
      const text = isUsable ? encodeArgs(passed) : undefined;
      const clock = Date.now();
      const argsNow = (): string | undefined => (text === undefined ? undefined : encodeArgs(passed));
      const finish = (
        shownResult: string | undefined,
        isLooseResult = false,
        after: string | undefined = argsNow(),
        isGiven = false,
      ): void => {
        // What the call did to its arguments belongs to its result.
        const result =
          shownResult === undefined || after === text
            ? shownResult
            : after && `${shownResult}\nargs ${after}`;
        const isWhole = !state.tainted.has(at) && text !== undefined;
        if (!isWhole && handle !== undefined) handle.isLost = true;
        put({
          at,
          source,
          name,
          ...(kind && { kind }),
          ...(handle && { on: handle.at }),
          ...(isWhole && { args: text }),
          result,
          ...(isLooseResult && { isLoose: true }),
          ...(isGiven && { isGiven }),
          clock,
          entry,
        });
        if (handle !== undefined && own === undefined) handle.seen = look(this as object);
      };
      const show = (value: unknown): string | undefined =>
        tryEncode(value, true) ?? (isObject(value) && state.handles.has(value) ? OPAQUE : undefined);
      let result: unknown;
      state.depth++;
      state.during = at;
      try {
        result = apply(fn, this, passed);
      } catch (error) {
        noteThrown(name, error, fn);
        finish(nameOf(error));
        throw error;
      } finally {
        state.depth--;
        state.during = undefined;
      }
      noteOdd(name, result, fn, args);
      noteHidden(name, [result, ...args]);
      if (isPromise(result)) {
        void apply(then, result, [
          (value: unknown) => {
            noteOdd(name, value, fn, args);
            noteHidden(name, value);
            const after = argsNow();
            if (typeof value !== 'function') follow(value, at);
            finish(show(value), isLoose(value), after, args.includes(value));
          },
          (error: unknown) => {
            noteThrown(name, error, fn);
            finish(nameOf(error));
          },
        ]);
        return result;
      }
      // Before the result gets a name: it may be one of the arguments.
      const after = argsNow();
      const shown = follow(result, at);
      finish(show(shown), isLoose(result), after, args.includes(result));
      return shown;
    };
    defineProperties(recorded, getOwnPropertyDescriptors(fn));
    return recorded;
  };

  return {
    call(name, fn) {
      if (typeof fn !== 'function' || isClass(fn)) return fn;
      return wrap({ name, fn: fn as AnyFunction, isExport: true });
    },
    type(name, type) {
      if (!isClass(type)) return;
      state.types.set(type as object, name);
      if (Object.hasOwn(type as object, Symbol.hasInstance) && isInstance(type)) put({ anyIs: name, source });
      patchOwn((type as { prototype: object }).prototype, true);
    },
    value(name, value) {
      if (isPromise(value) || typeof value === 'function') return;
      const at = state.next++;
      noteHidden(name, value);
      if (isObject(value)) follow(value, at);
      const isHandle = isObject(value) && state.handles.has(value);
      const result = tryEncode(value, true) ?? (isHandle ? OPAQUE : undefined);
      put({ at, source, name, kind: 'value', args: '{"a":[]}', result, clock: Date.now(), entry });
    },
    begin(passed) {
      const isOutermost = state.depth === 0;
      const at = isOutermost ? state.next++ : -1;
      state.depth++;
      const args = isOutermost ? encodeArgs([...(passed as unknown[])]) : undefined;
      return { at, args, isOutermost };
    },
    made(self, type, { at, args, isOutermost }) {
      if (!isOutermost || typeof type !== 'function' || args === undefined) return;
      const name = state.types.get(type);
      if (name === undefined || getPrototypeOf(self) !== type.prototype || !patch(self)) return;
      state.handles.set(self, { at, seen: look(self), isLost: false });
      const result = tryEncode(self, true) ?? OPAQUE;
      put({ at, source, name, kind: 'new', args, result, isLoose: isLoose(self), clock: Date.now(), entry });
    },
    end() {
      state.depth--;
    },
  };
}
