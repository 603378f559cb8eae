import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeValue } from '../../../src/proof/replay/call-values.ts';
import { seekHiddenMembers } from '../../../src/proof/replay/recorder/hidden-members.ts';
import { openSession } from '../../../src/proof/replay/recorder/session.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const to = join(temporaryFolder(), 'calls.jsonl');
const hiddenIn = seekHiddenMembers(openSession({ encode: encodeValue, to, most: 30 }));
const old = (): string => 'old';
/** The value with a property that is not enumerable. */
const hiding = <T extends object>(value: T, key: PropertyKey): T =>
  Object.defineProperty(value, key, { value: old });

class Money {
  readonly cents = 5;
  toJSON(): string {
    return 'EUR 0.05';
  }
}
class Stack extends Array<number> {
  override at(): number {
    return 0;
  }
}

/** An object that gives 0 for the names that it is not asked to look up. */
function counter(isLookedUp: (target: object, key: PropertyKey) => boolean): object {
  return new Proxy(
    {},
    {
      get: (target, key) => (isLookedUp(target, key) ? (Reflect.get(target, key) as unknown) : 0),
    },
  );
}

describe('members of built-in prototypes behind own properties of a result', () => {
  it.each<[string, unknown, string]>([
    ['the text of a date', hiding(new Date(0), 'toISOString'), 'toISOString of a Date'],
    ['a visible method of a date', Object.assign(new Date(0), { getTime: old }), 'getTime of a Date'],
    ['the map of an array', hiding([1], 'map'), 'map of an Array'],
    [
      'how an array is joined to another',
      hiding([1], Symbol.isConcatSpreadable),
      'Symbol(Symbol.isConcatSpreadable) of an Array',
    ],
    ['the get of a map', hiding(new Map(), 'get'), 'get of a Map'],
    ['the then of a promise', hiding(Promise.resolve(1), 'then'), 'then of a Promise'],
    ['what JSON shows of an object', hiding({ a: 1 }, 'toJSON'), 'toJSON of an Object'],
    ['what await gives for an object', hiding({ a: 1 }, 'then'), 'then of an Object'],
    ['the same without a prototype', hiding(Object.create(null) as object, 'toJSON'), 'toJSON of an Object'],
    ['what JSON shows of an array', hiding([1], 'toJSON'), 'toJSON of an Array'],
    [
      'a date in a list in a map',
      new Map([['a', [{ at: hiding(new Date(0), 'getTime') }]]]),
      'getTime of a Date',
    ],
    [
      'a nameless prototype',
      Object.setPrototypeOf([1], Object.create(Array.prototype, { at: { value: old } })),
      'at of an Array',
    ],
    [
      'a proxy',
      new Proxy(
        { a: 1 },
        { get: (target, key) => (key === 'toJSON' ? old : (Reflect.get(target, key) as unknown)) },
      ),
      'toJSON of an Object',
    ],
    ['a proxy with a value for one name', counter((_, key) => key !== 'toJSON'), 'toJSON of an Object'],
  ])('finds %s', (_name, value, expected) => {
    expect(hiddenIn(value)).toEqual([expected]);
  });

  it.each<[string, unknown]>([
    [
      'plain values',
      {
        a: [1, 'b', null, undefined, new Date(0)],
        m: new Map([[{ k: 1 }, new Set([1])]]),
        r: /x/g.exec('x'),
      },
    ],
    ['a proxy with a value for every name', counter((target, key) => Reflect.has(target, key))],
    ['a proxy with a value for every text', counter((_, key) => typeof key === 'symbol')],
    ['bytes', [Buffer.from('abc'), new Uint8Array(3), new ArrayBuffer(2)]],
    ['an object with visible methods', { total: 3, toString: old, toJSON: old, [Symbol.iterator]: old }],
    [
      'an instance with methods of its class',
      [new Money(), new Stack(1, 2), Object.assign(new Error('x'), { name: 'Own', code: 5 })],
    ],
    ['an array with more than elements', Object.assign([1], { total: 1, index: 0 })],
    [
      'iterators and promises',
      [
        [1].values(),
        new Map().entries(),
        Promise.resolve(1),
        (function* () {
          yield 1;
        })(),
      ],
    ],
    [
      'a proxy that only watches',
      new Proxy([1, 2], { get: (target, key, self) => Reflect.get(target, key, self) as unknown }),
    ],
    ['an address', [new URL('https://a.test/?b=1'), new URLSearchParams('b=1'), new Intl.NumberFormat('en')]],
    ['a hidden note', Object.defineProperty({ a: 1 }, 'source', { value: 'x.js' })],
  ])('finds nothing in %s', (_name, value) => {
    expect(hiddenIn(value)).toEqual([]);
  });
});
