/** Loaded into the test process: the values of watched expressions in one run of a test. */
import { inspect, types } from 'node:util';
import type { ObservedValues } from '../protocol.ts';

/** Values whose text is made in one run; of later ones only the number is known. */
const MOST_TEXTS = 20_000;
const MOST_CHARS = 200;
/** Fields of an object that is shown; a larger one is described. */
const MOST_FIELDS = 12;

interface Entry {
  readonly id: number;
  count: number;
  order: number;
  readonly first: string;
  last: string | undefined;
  isConstant: boolean;
}

/** Collects the values of expressions as text, in the order in which they are evaluated. */
export class ValueLog {
  readonly #entries = new Map<number, Entry>();
  #evaluated = 0;

  add(id: number, value: unknown): void {
    const order = ++this.#evaluated;
    const entry = this.#entries.get(id);
    const text = order > MOST_TEXTS ? undefined : shortText(value);
    if (entry === undefined) {
      if (text !== undefined)
        this.#entries.set(id, { id, count: 1, order, first: text, last: text, isConstant: true });
      return;
    }
    entry.count++;
    entry.order = order;
    entry.last = text;
    entry.isConstant &&= text === entry.first;
  }

  all(): ObservedValues[] {
    return [...this.#entries.values()];
  }
}

/** Text of a value as Node prints it, without calling any of its code; names what has no short text. */
function shortText(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) {
    if (types.isProxy(value)) return 'a proxy';
    if (types.isPromise(value)) return 'a promise';
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
      const fields = Object.keys(value).length;
      if (fields > MOST_FIELDS) return `an object with ${fields} fields`;
    }
  }
  const text = inspect(value, {
    ...{ depth: 1, compact: true, breakLength: Infinity, getters: false, customInspect: false },
    ...{ maxArrayLength: 6, maxStringLength: 80 },
  });
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)}…`;
}
