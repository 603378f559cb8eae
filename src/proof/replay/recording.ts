import type { GivenFunction, RecordedCall, RecordedCallback } from './recorder/recorded-call.ts';

/** What a function of a test returned, for a stub that takes its place. */
export interface Answer {
  readonly text: string;
  readonly isAsync: boolean;
}

/** A recorded call, with what happened to the functions that it was given. */
export interface WatchedCall extends RecordedCall {
  /** Answers of the functions that it was given first, by their numbers. */
  readonly answers?: Readonly<Record<number, readonly Answer[]>>;
  /** The functions that it was given first. */
  readonly functions?: readonly Pick<GivenFunction, 'given' | 'length' | 'name'>[];
  /** Number of calls of these functions that no call of the source made. */
  readonly late?: number;
}

/** A class of which every object is an instance. */
export interface OpenClass {
  readonly source: string;
  readonly anyIs: string;
}

/** A result that shows a test something else than the code that uses it. */
export interface OddResult {
  readonly source: string;
  /** Name of the function. */
  readonly name: string;
  /** The member of a built-in prototype that it hides by a property of its own, such as `getTime of a Date`. */
  readonly hides?: string | undefined;
  /** In place of that, an end of a sentence: `returns an object …`. */
  readonly says?: string | undefined;
}

/** What a run recorded. */
export interface Recording {
  readonly calls: readonly WatchedCall[];
  readonly open: readonly OpenClass[];
  readonly odd: readonly OddResult[];
}

/** What is odd about the results in the lines of a recording, each once a function. Never throws. */
export function oddResultsIn(lines: readonly string[]): OddResult[] {
  const all = lines
    .flatMap(noteIn)
    .filter((note): note is OddResult & { realm: string } => 'hides' in note || 'says' in note);
  const byName = new Map(
    all.map((note) => [[note.source, note.name, note.hides ?? note.says].join('\n'), note]),
  );
  return [...byName.values()];
}

/** The open classes in the lines of a recording. Never throws. */
export function openClassesIn(lines: readonly string[]): OpenClass[] {
  return lines.flatMap(noteIn).filter((note): note is OpenClass & { realm: string } => 'anyIs' in note);
}

/**
 * The calls in the lines of a recording, in the order in which they were made. The calls of functions that a test gave
 * belong to the result. A call in which something happened that cannot be repeated has no arguments. Never throws.
 */
export function callsIn(lines: readonly string[]): WatchedCall[] {
  const notes = lines.flatMap(noteIn);
  const callbacks = notes
    .filter((note): note is RecordedCallback => 'callback' in note)
    .toSorted((a, b) => a.order - b.order);
  const tainted = new Set(notes.flatMap((note) => ('taint' in note ? `${note.realm} ${note.taint}` : [])));
  const byCall = Map.groupBy(callbacks, ({ realm, during, of }) => `${realm} ${during ?? of}`);
  const byGiver = Map.groupBy(callbacks, ({ realm, of }) => `${realm} ${of}`);
  const functions = Map.groupBy(
    notes.filter((note): note is GivenFunction => 'given' in note),
    ({ realm, of }) => `${realm} ${of}`,
  );
  const calls = notes.filter((note): note is RecordedCall => 'at' in note);
  return calls
    .map((plain): WatchedCall => {
      const key = `${plain.realm} ${plain.at}`;
      const own = functions.get(key);
      const call = own === undefined ? plain : { ...plain, functions: own };
      if (tainted.has(key)) return { ...call, args: undefined } as unknown as WatchedCall;
      const made = byCall.get(key) ?? [];
      const given = byGiver.get(key) ?? [];
      if (made.length + given.length === 0) return call;
      const late = made.filter(({ during }) => during === undefined).length;
      return { ...call, ...withEvents(call, made), answers: answersOf(given), late };
    })
    .toSorted((a, b) => a.at - b.at);
}

/** The text of a result with the arguments of the functions that were called meanwhile. */
function describeResult(result: string, events: readonly string[]): string {
  return [result, ...events].join('\n');
}

function withEvents({ result }: RecordedCall, made: readonly RecordedCallback[]): Partial<RecordedCall> {
  const events = made.flatMap(({ args }) => args ?? []);
  return result === undefined || events.length < made.length
    ? { result: undefined as unknown as string }
    : { result: describeResult(result, events) };
}

function answersOf(given: readonly RecordedCallback[]): Record<number, Answer[]> {
  const answers: Record<number, Answer[]> = {};
  for (const { callback, returned = '{"u":1}', isAsync = false } of given)
    (answers[callback] ??= []).push({ text: returned, isAsync });
  return answers;
}

type Note =
  | RecordedCall
  | RecordedCallback
  | GivenFunction
  | { readonly realm: string; readonly taint: number }
  | (OpenClass & { readonly realm: string })
  | (OddResult & { readonly realm: string });

function noteIn(line: string): Note[] {
  try {
    const note = JSON.parse(line) as Partial<
      RecordedCall & RecordedCallback & GivenFunction & OpenClass & OddResult
    > & {
      taint?: unknown;
    };
    if (typeof note.realm !== 'string') return [];
    const isCall = typeof note.at === 'number' && typeof note.source === 'string';
    const isClass = typeof note.anyIs === 'string' && typeof note.source === 'string';
    const isOdd = typeof (note.hides ?? note.says) === 'string' && typeof note.source === 'string';
    const isGiven = typeof note.given === 'number' && typeof note.length === 'number';
    return isCall ||
      isClass ||
      isOdd ||
      isGiven ||
      typeof note.callback === 'number' ||
      typeof note.taint === 'number'
      ? [note as Note]
      : [];
  } catch {
    return [];
  }
}
