import { describe, expect, it } from 'vitest';
import { namesTerm, strangeTerms, termsOf } from '../../../../src/memory/passes/common/terms.ts';
import { saysTheSame } from '../../../../src/memory/passes/common/words.ts';

describe('terms', () => {
  it.each([
    ['Run `npm test -- --run` first.', ['npm test -- --run']],
    ['Tests run with npx vitest run --pool=threads here', ['npx vitest run --pool=threads']],
    ['Run npm test before every commit', ['npm test']],
    ['Make sure that node modules go where jest tests look', []],
    ['The bug was in src/cart/total.ts and cart.js.', ['src/cart/total.ts', 'cart.js']],
    ['readConfig() and MAX_ITEMS and snake_case', ['readConfig', 'MAX_ITEMS', 'snake_case']],
    ['It failed with TS2345.', ['TS2345']],
    ['Be careful with the tests.', []],
  ])('of %j are its commands, paths and symbols', (text, terms) => {
    const found = termsOf(text);
    for (const term of terms) expect(found).toContain(term);
    if (terms.length === 0) expect(found).toEqual([]);
  });

  it('are named as a whole, whatever the white space', () => {
    expect(namesTerm('ran npm\n  test now', 'npm test')).toBe(true);
    expect(namesTerm('src/cart.ts', 'src/car')).toBe(false);
    expect(namesTerm('readConfigs()', 'readConfig')).toBe(false);
  });

  it('are strange where no ground names them', () => {
    expect(strangeTerms('Use `total` of src/cart.ts', ['total is in src/cart.ts'])).toEqual([]);
    expect(strangeTerms('Use src/basket.ts', ['total is in src/cart.ts'])).toEqual(['src/basket.ts']);
  });
});

describe('two sentences', () => {
  it.each([
    ['The tests run with vitest.', 'The tests run with Vitest', true],
    ['Port 3000 is taken.', 'Port 3001 is taken.', false],
    ['The tests run with vitest.', 'The linter needs a flat configuration.', false],
  ])('%j and %j say the same: %s', (a, b, same) => {
    expect(saysTheSame(a, b)).toBe(same);
  });
});
