import { describe, expect, it } from 'vitest';
import { printedCause } from '../../../src/checks/results/printed-error.ts';

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

  it('is empty where nothing was printed', () => {
    expect(printedCause('\n  \n')).toBe('');
  });
});
