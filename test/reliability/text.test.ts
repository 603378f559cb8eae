import { describe, expect, it } from 'vitest';
import { textSuite } from './text.ts';
import { effectsWithoutSandbox } from './text/injection.ts';
import { tryJsonBombs, UNBOUNDED } from './text/json-bombs.ts';
import { tryChunks, tryFormats } from './text/redaction.ts';
import { tryRegexes } from './text/redos.ts';
import { tryTerminal } from './text/terminal.ts';
import type { Row } from './suite.ts';
import { redact } from '../../src/platform/redaction/redact.ts';

const LONG = 300_000;

describe('untrusted text', () => {
  it('has no effect except as data', { timeout: LONG }, async () => {
    const rows = await textSuite.run({ full: false, seed: 1, onProgress: () => {} });
    expect(rows.flatMap(({ claim, gaps }) => gaps.map((gap) => `${claim}: ${gap}`))).toEqual([]);
    for (const { claim, tried, held } of rows) expect([claim, held]).toEqual([claim, tried]);
    expect(rows).toHaveLength(14);
  });
});

describe('without the defence', () => {
  it('secrets are shown', () => {
    expect(heldShare(tryFormats([1], (text) => text))).toBe(0);
  });

  it('secrets that span two chunks are shown', () => {
    const row = tryChunks(5, () => ({ push: (text) => redact(text, {}), flush: () => '' }));
    expect(heldShare(row)).toBeLessThan(0.3);
  });

  it('control sequences reach the terminal', () => {
    expect(tryTerminal((text) => text).held).toBeLessThan(tryTerminal().held);
  });

  it('nested JSON overflows the stack', async () => {
    const { gaps } = await tryJsonBombs(1, UNBOUNDED);
    expect(gaps).toContainEqual(expect.stringContaining('Maximum call stack size exceeded'));
  });

  it('an exponential expression hangs', async () => {
    const regexes = [
      { place: 'a', source: '^(a+)+$', flags: '' },
      { place: 'b', source: '^a+$', flags: '' },
    ];
    const { gaps } = await tryRegexes(regexes, { most: 100, limitMs: 3000 });
    expect(gaps).toEqual(['a /^(a+)+$/']);
  });

  it('injected instructions have their effects', { timeout: LONG }, async () => {
    const effects = await effectsWithoutSandbox();
    const seen = ['touched', 'src/cart.js', '.bashrc', 'late', 'the server was called'];
    for (const effect of seen) expect(effects).toContainEqual(expect.stringContaining(effect));
  });
});

function heldShare({ tried, held }: Row): number {
  return held / tried;
}
