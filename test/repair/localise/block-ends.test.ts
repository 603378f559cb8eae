import { expect, it } from 'vitest';
import { blockEnds } from '../../../src/repair/localise/block-ends.ts';
import { parseSource } from '../../../src/repair/syntax/parse.ts';

it('suspects the end of a block as its last statement, where failing tests reach it', () => {
  const text = 'function f(x) {\n  if (x) {\n    g();\n  }\n  h();\n}\n';
  const parsed = parseSource('a.js', text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  const start = text.indexOf('h()');
  const regions = blockEnds(parsed, [{ start, end: start + 4, line: 5, weight: 0.7 }]);
  const end = text.lastIndexOf('}');
  expect(regions).toEqual([{ start: end, end: end + 1, line: 6, weight: 0.7 }]);
});
