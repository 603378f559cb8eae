import { expect, it } from 'vitest';
import { selectValues } from '../../../src/repair/observe/select-values.ts';
import type { WatchedExpression } from '../../../src/repair/observe/watch-values.ts';
import type { ObservedValues } from '../../../src/repair/trial/protocol.ts';

const watched = (id: number, code: string): WatchedExpression => ({
  ...{ id, file: 'src/q.js', line: 4, code, isResult: false },
});
const seen = (id: number, values: readonly string[], order: number): ObservedValues => ({
  ...{ id, count: values.length, order, first: values[0]!, last: values.at(-1)! },
  isConstant: new Set(values).size === 1,
});
const where = { root: '/tree', changed: [] };

it('leaves out code that stands twice in a line with different values: those of one place are not all', () => {
  const size = [watched(1, 'this.size'), watched(2, 'this.size')];
  const [inCondition, returned] = [seen(1, ['0', '1', '2', '3'], 7), seen(2, ['1', '2', '3'], 6)];
  expect(selectValues(size, [inCondition, returned], where)).toEqual([]);
  expect(selectValues(size, [inCondition], where)).toMatchObject([{ count: 4, first: '0', last: '3' }]);
});

it('adds up code that stands twice in a line with one value', () => {
  const limit = [watched(1, 'limit'), watched(2, 'limit')];
  const values = selectValues(limit, [seen(1, ['3', '3'], 2), seen(2, ['3'], 3)], where);
  expect(values).toMatchObject([{ count: 3, first: '3', isConstant: true }]);
});

it('shows an error without its frames, whose lines are those of the instrumented file', () => {
  const error = [
    'Error: boom at test/util.test.js:19:89',
    'Error: boom at load (src/util.js:70:3) at next (a.js:1:1)',
  ];
  for (const text of error)
    expect(selectValues([watched(1, 'e')], [seen(1, [text], 1)], where)).toMatchObject([
      { first: 'Error: boom' },
    ]);
  const [plain] = selectValues([watched(1, 'e')], [seen(1, ["'look at 10:20'"], 1)], where);
  expect(plain).toMatchObject({ first: "'look at 10:20'" });
});
