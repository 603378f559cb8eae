import { describe, expect, it } from 'vitest';
import { inCallOrder } from '../../../src/agents/tools/in-call-order.ts';

describe('values in the order of their calls', () => {
  it('wait for the calls before them', () => {
    const passed: string[] = [];
    const announce = inCallOrder((value: string) => passed.push(value));
    const [first, second, third] = [announce(), announce(), announce()];
    third('c');
    expect(passed).toEqual([]);
    first('a');
    expect(passed).toEqual(['a']);
    second('b');
    expect(passed).toEqual(['a', 'b', 'c']);
  });
});
