import { describe, expect, it } from 'vitest';
import { parsePrintedError, printedCause, printedCrash } from '../../../src/checks/results/printed-error.ts';

const FRAMES = '\n    at a (node:internal/x:1:2)\n    at b (file:///r/x.js:3:4)\n\nNode.js v24.0.0\n';

describe('printedCause', () => {
  it.each([
    [
      "Error: Cannot find module '../dist/a.js'",
      "Cannot find module '../dist/a.js'. Is it built? Try its build script",
    ],
    [
      "Error: Cannot find package 'ghost' imported from /r/x.js",
      "Cannot find package 'ghost' imported from /r/x.js. Is it installed? Try the install command",
    ],
    ["Error: Cannot find module './near.js'", "Cannot find module './near.js'"],
    ['TypeError [ERR_X]: no such thing.', 'no such thing'],
    ['sh: 1: ghost: not found', 'sh: 1: ghost: not found'],
    ['', ''],
  ])('of %j with its frames is one line', (error, cause) => {
    expect(printedCause(`Oops!\n\n${error}${error === '' ? '' : FRAMES}`)).toBe(
      cause === '' ? 'Oops!' : cause,
    );
  });

  it('leaves out the seed and the duration, which differ from run to run', () => {
    const output =
      '30 specs, 3 failures\nFinished in 0.032 seconds\nRandomized with seed 21417 (jasmine --seed=21417)\n';
    expect(printedCause(output)).toBe('30 specs, 3 failures');
  });

  it('leaves out rules of dashes', () => {
    expect(printedCause('-----\nTo correct it: npx tidy\n\n-----\n ═══ \n')).toBe('To correct it: npx tidy');
  });

  it('is empty where nothing was printed', () => {
    expect(printedCause('\n  \n')).toBe('');
  });
});

describe('printedCrash', () => {
  it.each([
    [
      'SyntaxError: Cannot use import statement outside a module',
      'Cannot use import statement outside a module',
    ],
    [
      "Error: Cannot find module 'ghost'\nRequire stack:\n- /r/x.js",
      "Cannot find module 'ghost'. Is it installed? Try the install command",
    ],
  ])('is the error above the stack that ends the text: %j', (error, cause) => {
    const frames = '\n    at a (node:internal/x:1:2)\n    at b (file:///r/x.js:3:4)\n    at c (/r/y.js:5:6)';
    expect(
      printedCrash(`Error: an earlier line\n${error}${frames} {\n  code: 'X'\n}\n\nNode.js v24.0.0\n`),
    ).toBe(cause);
  });

  const BARE =
    "ok 47\n/r/index.js:98\n    call(node.constructor, 'prototype')\n         ^\n\n[TypeError: no object]\n\nNode.js v24.0.0\n";

  it('is the error without a stack that the text ends with, and its place is where Node marks the code', () => {
    expect(printedCrash(BARE)).toBe('no object');
    expect(parsePrintedError(BARE)).toEqual({
      name: 'TypeError',
      message: 'no object',
      stack: '    at /r/index.js:98:10',
    });
  });

  it('is no error in brackets that a program went on after', () => {
    expect(printedCrash(`${BARE}1..3\nok 3\n`)).toBeUndefined();
    expect(printedCrash('a warning\n[TypeError: no object]\n\nNode.js v24.0.0\n')).toBeUndefined();
  });

  it('is undefined where the text does not end with a stack, or the stack has no error line', () => {
    expect(printedCrash(`Error: a test logged this${FRAMES}3 of 4 tests failed\n`)).toBeUndefined();
    expect(printedCrash('  at a (x:1:1)\n  at b (x:1:1)\n  at c (x:1:1)\n')).toBeUndefined();
  });
});
