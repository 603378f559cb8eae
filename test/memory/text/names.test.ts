import { describe, expect, it } from 'vitest';
import { hasName, namesIn, unknownNames } from '../../../src/memory/text/names.ts';
import { isSameSentence } from '../../../src/memory/text/likeness.ts';

describe('names', () => {
  it.each([
    ['Run `npm test -- --run` first.', ['npm test -- --run']],
    ['Tests run with npx vitest run --pool=threads here', ['npx vitest run --pool=threads']],
    ['Run npm test before every commit', ['npm test']],
    ['Make sure that node modules go where jest tests look', []],
    ['The bug was in src/cart/total.ts and cart.js.', ['src/cart/total.ts', 'cart.js']],
    ['readConfig() and MAX_ITEMS and snake_case', ['readConfig', 'MAX_ITEMS', 'snake_case']],
    ['It failed with TS2345.', ['TS2345']],
    ['Be careful with the tests.', []],
  ])('in %j are its commands, paths and symbols', (text, terms) => {
    const found = namesIn(text);
    for (const term of terms) expect(found).toContain(term);
    if (terms.length === 0) expect(found).toEqual([]);
  });

  it('are matched as a whole, regardless of white space', () => {
    expect(hasName('ran npm\n  test now', 'npm test')).toBe(true);
    expect(hasName('src/cart.ts', 'src/car')).toBe(false);
    expect(hasName('readConfigs()', 'readConfig')).toBe(false);
  });

  it('are unknown where no source has them', () => {
    expect(unknownNames('Use `total` of src/cart.ts', ['total is in src/cart.ts'])).toEqual([]);
    expect(unknownNames('Use src/basket.ts', ['total is in src/cart.ts'])).toEqual(['src/basket.ts']);
  });
});

describe('isSameSentence', () => {
  it.each([
    ['The tests run with vitest.', 'The tests run with Vitest', true],
    ['Port 3000 is taken.', 'Port 3001 is taken.', false],
    ['The tests run with vitest.', 'The linter needs a flat configuration.', false],
  ])('of %j and %j is %s', (a, b, same) => {
    expect(isSameSentence(a, b)).toBe(same);
  });
});
