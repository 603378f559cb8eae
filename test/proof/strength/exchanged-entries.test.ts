import { describe, expect, it } from 'vitest';
import { exchangedEntries } from '../../../src/proof/strength/exchanged-entries.ts';

const BASE = '{\n  "usd": 1.8,\n  "gbp": { "rate": 0.86, "names": ["pound"] },\n  "chf": 0.95\n}\n';

describe('exchangedEntries', () => {
  it('puts each value back that is another one or gone, and leaves the others as they are now', () => {
    const now = BASE.replace('1.8', '1.08').replace('0.86', '0.68').replace(',\n  "chf": 0.95', '');
    const found = exchangedEntries(BASE, now)!;
    expect(found.map(({ line, removed }) => ({ line, removed }))).toEqual([
      { line: 2, removed: undefined },
      { line: 3, removed: undefined },
      { line: 1, removed: '"chf": 0.95' },
    ]);
    expect(JSON.parse(found[1]!.text)).toEqual({ usd: 1.08, gbp: { rate: 0.86, names: ['pound'] } });
    expect(JSON.parse(found[2]!.text)).toMatchObject({ usd: 1.08, gbp: { rate: 0.68 }, chf: 0.95 });
  });

  it('takes a list of another length for one value, and added values for none', () => {
    const longer = BASE.replace('["pound"]', '["pound", "quid"]');
    expect(exchangedEntries(BASE, longer)!.map(({ line }) => line)).toEqual([3]);
    expect(exchangedEntries(BASE, BASE.replace('{\n', '{\n  "jpy": 160,\n'))).toEqual([]);
    expect(exchangedEntries('[1, 2]', '[1, 3]')!.map(({ text }) => text)).toEqual(['[1,2]\n']);
  });

  it('reads no text that is no JSON', () => {
    expect(exchangedEntries('a: 1\n', 'a: 2\n')).toBeUndefined();
  });
});
