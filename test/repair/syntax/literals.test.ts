import { describe, expect, it } from 'vitest';
import { literalPool, NO_HINTS, quotedIn, stringsNear } from '../../../src/repair/syntax/literals.ts';

describe('strings near failures', () => {
  const text = ["f('far');", ...Array.from({ length: 60 }, () => ''), "f('a', `b`);", "f('c');"].join('\n');

  it('come nearest first, those far away not at all', () => {
    expect(stringsNear('a.test.js', text, [62])).toEqual(['a', 'b', 'c']);
    expect(stringsNear('a.test.js', text, [63])).toEqual(['c', 'a', 'b']);
    expect(stringsNear('a.test.js', text, [1])).toEqual(['far']);
  });

  it('are none without a line, and none of a text that does not parse', () => {
    expect(stringsNear('a.test.js', text, [])).toEqual([]);
    expect(stringsNear('a.test.js', "f('a'", [1])).toEqual([]);
  });
});

describe('strings that a message quotes', () => {
  it('are what the failing case was called with', () => {
    expect(quotedIn('isVAT(",1234", "DO") passed but should have failed')).toEqual([',1234', 'DO']);
    expect(quotedIn('nothing here')).toEqual([]);
    expect(quotedIn(`"${'a'.repeat(100)}"`)).toEqual([]);
  });
});

describe('the pool of literals', () => {
  const pool = (hints: Partial<typeof NO_HINTS>) => literalPool([], { ...NO_HINTS, ...hints });

  it('marks failing cases by their short strings and by punctuation that few of them share', () => {
    expect(pool({ near: ['a/b-c', 'some long text/', 'x'] }).marks).toEqual(["'a/b-c'", "'x'", "'-'", "'/'"]);
  });

  it('takes the strings of the whole test file where none are known to be near', () => {
    expect(pool({ literals: ["'b'", '42'] }).tested).toEqual(['b']);
  });

  it('knows what differs between received and expected texts', () => {
    const differences = (received: string[], expected: string[]) => pool({ received, expected }).differences;
    expect(differences(['"foo=null"'], ['"foo="'])).toEqual([{ from: 'null', to: '' }]);
    expect(differences(['"aXbXc"'], ['"aXYbXc"'])).toEqual([{ from: '', to: 'Y' }]);
    expect(differences(['3'], ['4'])).toEqual([]);
    expect(differences(['"same"'], ['"same"'])).toEqual([]);
    expect(differences(['"a"', '"b"'], ['"c"'])).toEqual([]);
  });
});
