import { describe, expect, it } from 'vitest';
import { literalPool, NO_HINTS, quotedIn, stringsNear } from '../../../src/repair/syntax/literals.ts';

describe('stringsNear', () => {
  const text = ["f('far');", ...Array.from({ length: 60 }, () => ''), "f('a', `b`);", "f('c');"].join('\n');

  it('sorts by distance and leaves out distant strings', () => {
    expect(stringsNear('a.test.js', text, [62])).toEqual(['a', 'b', 'c']);
    expect(stringsNear('a.test.js', text, [63])).toEqual(['c', 'a', 'b']);
    expect(stringsNear('a.test.js', text, [1])).toEqual(['far']);
  });

  it('is empty without lines and for text that does not parse', () => {
    expect(stringsNear('a.test.js', text, [])).toEqual([]);
    expect(stringsNear('a.test.js', "f('a'", [1])).toEqual([]);
  });
});

describe('quotedIn', () => {
  it('finds short strings in double quotes', () => {
    expect(quotedIn('isVAT(",1234", "DO") passed but should have failed')).toEqual([',1234', 'DO']);
    expect(quotedIn('nothing here')).toEqual([]);
    expect(quotedIn(`"${'a'.repeat(100)}"`)).toEqual([]);
  });
});

describe('literalPool', () => {
  const pool = (hints: Partial<typeof NO_HINTS>) => literalPool([], { ...NO_HINTS, ...hints });

  it('derives marks from short strings and rare punctuation', () => {
    expect(pool({ near: ['a/b-c', 'some long text/', 'x'] }).marks).toEqual(["'a/b-c'", "'x'", "'-'", "'/'"]);
  });

  it('uses the strings of the whole test file if none are known near the failure', () => {
    expect(pool({ literals: ["'b'", '42'] }).tested).toEqual(['b']);
  });

  it('finds the differences between received and expected strings', () => {
    const differences = (received: string[], expected: string[]) => pool({ received, expected }).differences;
    expect(differences(['"foo=null"'], ['"foo="'])).toEqual([{ from: 'null', to: '' }]);
    expect(differences(['"aXbXc"'], ['"aXYbXc"'])).toEqual([{ from: '', to: 'Y' }]);
    expect(differences(['3'], ['4'])).toEqual([]);
    expect(differences(['"same"'], ['"same"'])).toEqual([]);
    expect(differences(['"a"', '"b"'], ['"c"'])).toEqual([]);
  });
});
