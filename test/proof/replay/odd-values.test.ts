import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeValue } from '../../../src/proof/replay/call-values.ts';
import { seekOddities } from '../../../src/proof/replay/recorder/odd-values.ts';
import { openSession } from '../../../src/proof/replay/recorder/session.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const to = join(temporaryFolder(), 'calls.jsonl');
const oddIn = seekOddities(openSession({ encode: encodeValue, to, most: 30 }));

const ROW = [0];
/** An object whose property is right for the first reads. */
function counting(until: number): object {
  let reads = 0;
  return {
    get area() {
      reads++;
      return reads > until ? 7 : 9;
    },
  };
}
class Counting {
  #reads = 0;
  get area(): number {
    return this.#reads++ < 3 ? 9 : 7;
  }
}
class Entry {
  readonly size = '2';
  asymmetricMatch(): boolean {
    return true;
  }
}
function listedFirst(): object {
  let isListed = false;
  return new Proxy(
    { id: 1, name: 'Al' },
    {
      ownKeys(target) {
        isListed = true;
        return Reflect.ownKeys(target);
      },
      get: (target, key) => (key === 'name' && !isListed ? 1 : (Reflect.get(target, key) as unknown)),
    },
  );
}
class Trimmed extends Array<string> {
  override *[Symbol.iterator](): ArrayIterator<string> {
    for (let at = 0; at < this.length; at++) yield this[at]!.trim();
  }
}
class Doubled extends Array<number> {
  override at(at: number): number {
    return this[at]! * 2;
  }
}
class Index extends Map<string, number> {
  override get(key: string): number | undefined {
    return (super.get(key) ?? 0) + 1;
  }
}
class Counts extends Map<string, number> {
  override get(key: string): number {
    return super.get(key) ?? 0;
  }
}
class Stack extends Array<number> {
  peek(): number | undefined {
    return this.at(-1);
  }
}
/** An error whose message is read before. */
function saying(): Error {
  let reads = 0;
  return Object.defineProperty(new Error('a'), 'message', { get: () => (reads++ < 3 ? 'b' : 'a') });
}

/** An object that is right as soon as it was written as JSON. */
function writtenFirst(): object {
  let isWritten = false;
  return {
    toJSON() {
      isWritten = true;
      return {};
    },
    get area() {
      return isWritten ? 9 : 7;
    },
  };
}

describe('a result that shows a test something else than its user', () => {
  it.each<[string, unknown, RegExp]>([
    ['reads that are counted', counting(1), /property area is not the same/],
    ['more of them', counting(4), /property area is not the same/],
    ['reads that a class counts', new Counting(), /property area is not the same/],
    ['a proxy that waits for a comparison', listedFirst(), /property name is not the same/],
    ['a property that waits for JSON', writtenFirst(), /property area is not the same/],
    ['one in a list', [{ rows: [counting(2)] }], /property area is not the same/],
    ['a toJSON with other values', { x: 2, y: 1, toJSON: () => ({ x: 1, y: 2 }) }, /toJSON gives another x/],
    ['a class that answers a matcher', new Entry(), /asymmetricMatch/],
    ['a visible member that does', { asymmetricMatch: () => true }, /asymmetricMatch/],
    ['a list that is gone through', Trimmed.from(['a ']), /other items/],
    ['a list that is asked for one', Doubled.from([1]), /other items/],
    ['a map that is asked for one', new Index([['a', 1]]), /other items/],
    ['the message of an error', saying(), /property message is not the same/],
    ['a key without a value', { a: 1, c: undefined }, /keys that hold undefined/],
    ['a row in each place of a grid', new Array(2).fill([0, 0]), /one and the same object/],
    [
      'an object that is awaited',
      { id: 1, then: (done: (it: object) => void) => done({}) },
      /with a method "then"/,
    ],
  ])('is found: %s', (_, value, says) => {
    expect(oddIn(value).join()).toMatch(says);
  });

  class Money {
    #cents = 5;
    get cents(): number {
      return this.#cents;
    }
    toJSON(): object {
      return { cents: this.cents, currency: 'EUR' };
    }
  }
  class Lazy {
    #made: number[] | undefined;
    get rows(): number[] {
      return (this.#made ??= [1, 2]);
    }
    get copies(): number[] {
      return [...this.rows];
    }
    get age(): number {
      return performance.now();
    }
  }
  const values = new WeakMap<object, number>();
  it.each<[string, unknown]>([
    ['a number', 5],
    ['a plain object', { a: 1, b: [{ c: 2 }] }],
    ['a class with accessors and toJSON', new Money()],
    ['values that are made when they are asked for', new Lazy()],
    ['a date in JSON', { at: new Date(0), toJSON: () => ({ at: '1970-01-01' }) }],
    ['a number that JSON writes as a text', { id: 1, toJSON: () => ({ id: '1' }) }],
    ['a promise', Promise.resolve(1)],
    ['a proxy that only reads', new Proxy({ a: 1 }, { set: () => false })],
    [
      'a proxy that makes what it is asked for',
      new Proxy({} as Record<string, object>, { get: (target, key: string) => (target[key] ??= {}) }),
    ],
    ['a map of counts', new Counts([['a', 1]])],
    ['a list with a method', Stack.from([1, 2])],
    ['a map', new Map([['a', 1]])],
    ['an error', new Error('x')],
    ['a key of a weak map', values],
    ['a grid', [[0], [0]]],
    ['a ring that ends where it begins', [ROW, [1], ROW]],
    ['a frozen object in each place', new Array(2).fill(Object.freeze([0]))],
    ['a list of one', [ROW]],
  ])('is not seen in %s', (_, value) => {
    expect(oddIn(value)).toEqual([]);
  });

  it('is not seen in an object of the caller in each place', () => {
    expect(oddIn([ROW, ROW], '', [ROW, 2])).toEqual([]);
    expect(oddIn([ROW, ROW], '', [[ROW], 2])).toEqual([]);
    expect(oddIn([ROW, ROW], '', [2])).toHaveLength(1);
  });

  it('is not seen in a key without a value that the code names', () => {
    expect(oddIn({ a: 1, c: undefined }, '(a) => ({ a, c: undefined })')).toEqual([]);
  });

  it('leaves a proxy that makes what it is asked for as it was', () => {
    const made: Record<string, object> = {};
    oddIn(new Proxy(made, { get: (target, key: string) => (target[key] ??= {}) }));
    expect(made).toEqual({});
  });
});
