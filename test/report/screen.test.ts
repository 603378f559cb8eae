import { describe, expect, it } from 'vitest';
import { canRedraw } from '../../src/report/screen.ts';

const TERMINAL = { TERM: 'xterm-256color' };

describe('canRedraw', () => {
  it.each([
    ['a terminal', true, true, TERMINAL, true],
    ['a pipe', false, true, TERMINAL, false],
    ['a terminal without colours (NO_COLOR, --no-color)', true, false, TERMINAL, false],
    ['CI', true, true, { ...TERMINAL, CI: 'true' }, false],
    ['CI that is said to be none', true, true, { ...TERMINAL, CI: 'false' }, true],
    ['a dumb terminal', true, true, { TERM: 'dumb' }, false],
    ['a terminal that does not say what it is', true, true, {}, false],
  ])('%s', (_name, isTTY, colours, env, expected) => {
    expect(canRedraw({ isTTY }, colours, env)).toBe(expected);
  });
});
