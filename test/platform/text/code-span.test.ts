import { describe, expect, it } from 'vitest';
import { CODE_SPAN, codeOf, codeSpan } from '../../../src/platform/text/code-span.ts';
import { sentencesOf } from '../../../src/platform/text/sentences.ts';

describe('codeSpan', () => {
  it.each([
    ['a + b', '`a + b`'],
    ['`${a}`', '`` `${a}` ``'],
    ['f`x` + y', '``f`x` + y``'],
    ['``a`', '``` ``a` ```'],
    ['', ''],
  ])('renders %j so that its code can be read back', (code, span) => {
    expect(codeSpan(code)).toBe(span);
    if (code !== '') expect(codeOf(new RegExp(`^${CODE_SPAN.source}$`).exec(span)![0])).toBe(code);
  });

  it('is found in a text with others', () => {
    const text = `${codeSpan('a')} to ${codeSpan('`b`')} at x.ts:3, ${codeSpan('c')}`;
    const spans = [...text.matchAll(new RegExp(CODE_SPAN.source, 'g'))].map(([span]) => codeOf(span));
    expect(spans).toEqual(['a', '`b`', 'c']);
  });
});

describe('sentencesOf', () => {
  it('divides between sentences and lines, and never in code', () => {
    expect(sentencesOf('In x.ts:3 `a. B` is 2. `c` is 1.\nIt has e.g. one "Done." Next')).toEqual([
      'In x.ts:3 `a. B` is 2.',
      '`c` is 1.',
      'It has e.g. one "Done."',
      'Next',
    ]);
  });
});
