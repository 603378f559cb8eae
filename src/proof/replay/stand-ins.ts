import type { decodeValue, encodeValue } from './call-values.ts';
import type { Job } from './repeat-program.ts';

/** What calls are given that cannot be written as text: results of other calls, and functions of a test. */
export interface StandIns {
  /** Text of an object that is not written out. */
  readonly opaque: string;
  /** Forgets what the calls of the last round made. */
  readonly begin: () => void;
  /** The result of the call at this position, for the calls after it. */
  readonly know: (at: number, value: unknown) => void;
  readonly forget: (at: number) => void;
  readonly madeBy: (at: number) => unknown;
  /** Runs a call; what it calls in that time belongs to it. */
  readonly during: <Result>(at: number, run: () => Result) => Result;
  readonly argsOf: (text: string) => unknown[];
  /** The arguments of a call as text, or that of an object if that cannot be. */
  readonly textOfArgs: (args: unknown[]) => string;
  /** Arguments with which a call called the functions that it was given, as many late ones as were recorded. */
  readonly eventsOf: (call: Job['calls'][number]) => string[];
  /** How many functions were called after the call that they were given to. */
  readonly lateEvents: () => number;
}

/** Functions that the program gives to its stand-ins. */
export interface StandInTools {
  readonly encode: typeof encodeValue;
  readonly decode: typeof decodeValue;
  /** The `setTimeout` of the process, taken before the program changes it. */
  readonly wait: typeof setTimeout;
}

/**
 * Stands in for what the recorded calls were given. Its source text runs in another process, so it must not refer to anything
 * outside of its body.
 */
export function makeStandIns(job: Job, { encode, decode, wait }: StandInTools): StandIns {
  const opaque = '{"h":true}';
  const { stringify } = JSON;
  /** Positions of the calls whose result the recording names as such; other results are copied like any value. */
  const handles = new Set(
    job.calls.flatMap((call) => [
      ...(call.on === undefined ? [] : [call.on]),
      ...[...stringify(call).matchAll(/\\"h\\":(\d+)/g)].map(([, at]) => Number(at)),
    ]),
  );
  const answers = new Map(
    job.calls.flatMap(({ at, answers: own = {} }) =>
      Object.entries(own).map(([id, list]) => [Number(id), { of: at, list }] as const),
    ),
  );
  const shapes = new Map(
    job.calls.flatMap(({ functions: own = [] }) => own.map((shape) => [shape.given, shape] as const)),
  );
  /** What the calls of this round made, by their positions. */
  let made = new Map<number, unknown>();
  let counts = new Map<number, number>();
  let events: { readonly call: number; readonly isLate: boolean; readonly args: string }[] = [];
  let stubs = new Map<number, unknown>();
  let current: number | undefined;

  const special = (coded: object): unknown => {
    const { h, c } = coded as { h?: number; c?: number };
    if (h !== undefined && !made.has(h)) throw new TypeError('was not made');
    return h === undefined ? (c === undefined ? undefined : stubOf(c)) : made.get(h);
  };
  const known = (it: object): unknown => {
    for (const at of handles) if (made.get(at) === it) return { h: at };
    for (const [id, stub] of stubs) if (stub === it) return { c: id };
    return undefined;
  };
  const textOfArgs = (args: unknown[]): string => {
    try {
      return encode(args, false, known);
    } catch {
      return opaque;
    }
  };
  /** A function in place of one that a test gave: it returns what that returned. */
  const stubOf = (id: number): unknown => {
    const { of, list } = answers.get(id) ?? { of: -1, list: [] };
    const stub = (...given: unknown[]): unknown => {
      events.push({ call: current ?? of, isLate: current === undefined, args: textOfArgs(given) });
      const at = counts.get(id) ?? 0;
      counts.set(id, at + 1);
      const answer = list[at];
      const value = answer && decode(answer.text, special);
      if (answer?.isAsync !== true) return value;
      const { answersAfterMs } = job;
      return answersAfterMs === undefined
        ? Promise.resolve(value)
        : new Promise((done) => wait(done, answersAfterMs, value));
    };
    const shape = shapes.get(id);
    if (shape !== undefined) {
      Object.defineProperty(stub, 'length', { value: shape.length, configurable: true });
      Object.defineProperty(stub, 'name', { value: shape.name, configurable: true });
    }
    if (!stubs.has(id)) stubs.set(id, stub);
    return stubs.get(id);
  };

  return {
    opaque,
    begin: () => ([made, counts, events, stubs] = [new Map(), new Map(), [], new Map()]),
    know: (at, value) => void made.set(at, value),
    forget: (at) => void made.delete(at),
    madeBy: (at) => made.get(at),
    during(at, run) {
      try {
        current = at;
        return run();
      } finally {
        current = undefined;
      }
    },
    argsOf: (text) => decode(text, special) as unknown[],
    textOfArgs,
    eventsOf({ at, late = 0 }) {
      const own = events.filter(({ call }) => call === at);
      const before = own.filter(({ isLate }) => !isLate);
      return [...before, ...own.filter(({ isLate }) => isLate).slice(0, late)].map(({ args }) => args);
    },
    lateEvents: () => events.filter(({ isLate }) => isLate).length,
  };
}
