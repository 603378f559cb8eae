import { describe, expect, it } from 'vitest';
import { withWrong } from '../../../src/proof/canaries/wrong-expectations.ts';
import { wrongCalls } from '../../../src/proof/assertions/wrong-calls.ts';

describe('a wrong call of a helper', () => {
  const changed = (body: string): string => {
    const text = `test('a', async () => ${body});`;
    return withWrong(text, wrongCalls(text, new Set(['h', 'same'])).slice(0, 1));
  };

  it.each([
    ['h.same(add(5, 5), 10)', 'h.same(undefined, 1000013)'],
    ['{ same(add(5), 10); same(1, 1); }', '{ same(undefined, 1000013);; return; same(1, 1); }'],
    ['{ await same(add(5)) }', '{ await same(undefined); return; }'],
    ['{ return same(parse, "x"); }', '{ return same(undefined, "x and more 73");; return; }'],
    ['{ h.expectValue(add(5)).toBe(10); }', '{ h.expectValue(1000003).toBe(undefined);; return; }'],
    ['{ same(list(), [a, 1]); }', '{ same(undefined, [1000003]);; return; }'],
    ['{ same(list(), { a }); }', '{ same(undefined, { other: 1000003 });; return; }'],
    ['{ (await same(add(5), true, 3)); }', '{ (await same(undefined, true, 1000006));; return; }'],
    ['{ same(add(5), total); }', '{ same(add(5), total); }'],
    ['{ other(1, 2); }', '{ other(1, 2); }'],
  ])('ends the test and is given literals: %s', (body, wrong) => {
    expect(changed(body)).toBe(`test('a', async () => ${wrong});`);
  });
});
