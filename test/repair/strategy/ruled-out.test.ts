import { describe, expect, it } from 'vitest';
import { mergeRuledOut, RULED_OUT_LIMIT, ruledOutFrom } from '../../../src/repair/strategy/ruled-out.ts';
import type { Reflection } from '../../../src/schema/generated.ts';
import { validate } from '../../../src/schema/validate.ts';

const reflection = (edits?: string[]): Reflection =>
  ({ actor_output: { ruled_out: edits && { tried: edits.length, edits } } }) as Reflection;

describe('ruledOutFrom', () => {
  it('collects the signatures of all reflections that have some', () => {
    expect(ruledOutFrom([reflection(['a', 'b']), reflection(), reflection(['b', 'c'])])).toEqual(
      new Set(['a', 'b', 'c']),
    );
  });
});

describe('mergeRuledOut', () => {
  it("keeps earlier signatures and counts only this attempt's", () => {
    expect(mergeRuledOut(new Set(['a', 'b']), { signatures: ['c', 'a'] })).toEqual({
      tried: 2,
      edits: ['b', 'c', 'a'],
    });
  });

  it('keeps the newest signatures up to the limit', () => {
    const old = new Set(Array.from({ length: RULED_OUT_LIMIT }, (_, index) => `old ${index}`));
    const { edits } = mergeRuledOut(old, { signatures: ['new'] });
    expect(edits).toHaveLength(RULED_OUT_LIMIT);
    expect(edits.at(-1)).toBe('new');
    expect(edits).not.toContain('old 0');
  });

  it('is valid in a trajectory', () => {
    const ruledOut = mergeRuledOut(new Set(['a']), { signatures: ['b'], nearest: 'n'.repeat(2000) });
    const trajectory = {
      actor: 'search',
      actions: [],
      rationale: '',
      strategy: '',
      outcome: 'gave_up',
      message: '',
      usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, cost_usd: 0 },
      ruled_out: ruledOut,
      duration_ms: 1,
    };
    expect(validate('trajectory', trajectory)).toMatchObject({ ok: true });
  });
});
