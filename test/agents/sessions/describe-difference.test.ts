import { describe, expect, it } from 'vitest';
import { describeDifference } from '../../../src/agents/sessions/describe-difference.ts';

describe('the place in which two texts differ', () => {
  it.each([
    ['a\nb', 'a\nb', undefined],
    ['a\nb\nc', 'a\nx\nc', 'at line 2: recorded "b", now "x"'],
    ['a', 'a\nmore', 'at line 2: recorded nothing, now "more"'],
    ['a\nmore', 'a', 'at line 2: recorded "more", now nothing'],
  ])('%j and %j: %s', (recorded, now, expected) => {
    expect(describeDifference(recorded, now)).toBe(expected);
  });
});
