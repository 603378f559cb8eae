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

describe('text that others wrote', () => {
  it('does no harm', { timeout: LONG }, async () => {
    const rows = await textSuite.run({ full: false, onProgress: () => {} });
    expect(rows.flatMap(({ what, gaps }) => gaps.map((gap) => `${what}: ${gap}`))).toEqual([]);
    for (const { what, tried, held } of rows) expect([what, held]).toEqual([what, tried]);
    expect(rows).toHaveLength(14);
  });
});

describe('without the defence', () => {
  it('secrets are seen', () => {
    expect(heldShare(tryFormats([1], (text) => text))).toBe(0);
  });

  it('secrets are seen that lie across two chunks', () => {
    const row = tryChunks(5, () => ({ push: (text) => redact(text, {}), flush: () => '' }));
    expect(heldShare(row)).toBeLessThan(0.3);
  });

  it('a terminal is told what to do', () => {
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

  it('an injected order has its effect', { timeout: LONG }, async () => {
    const effects = await effectsWithoutSandbox();
    const seen = ['touched', 'src/cart.js', '.bashrc', 'late', 'the server was called'];
    for (const effect of seen) expect(effects).toContainEqual(expect.stringContaining(effect));
  });
});

function heldShare({ tried, held }: Row): number {
  return held / tried;
}
