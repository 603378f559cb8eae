import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { conditionalAssertions } from '../../../src/proof/assertions/assertion-places.ts';
import { lastFailed, withWatch } from '../../../src/proof/assertions/swallowed-assertions.ts';

/** The marks of a test with this call, in which an assertion behind a condition compares positions with 3. */
function marksOf(call: string): string {
  const source = `
    test('visits words', () => {
      const visit = 1
      ${call.replace('VISIT', "(word, at) => { if (word === 'c') expect(at, 3) }")}
    })`;
  let marks = '';
  const appendFileSync = (_: string, mark: string): void => void (marks += mark);
  const globals = {
    process: { getBuiltinModule: () => ({ appendFileSync }) },
    test: (_: string, body: () => void) => body(),
    expect(a: number, b: number) {
      if (a !== b) throw new Error('differs');
    },
  };
  const places = conditionalAssertions(source);
  runInNewContext(withWatch(source, places, { id: '0', to: '/marks', thrown: 'error' }), globals);
  return marks;
}

test('an assertion whose error the code drops has failed last', () => {
  const dropped = "const f = (visit) => { try { visit('c', 2); } catch {} }; f(VISIT)";
  expect(lastFailed(marksOf(dropped)).size).toBe(1);
});

test.each([
  ['it holds', "const f = (visit) => visit('c', 3); f(VISIT)"],
  ['it does not run', "const f = (visit) => visit('b', 2); f(VISIT)"],
  [
    'it is tried again and holds',
    "const f = (visit) => { try { visit('c', 2); } catch { visit('c', 3); } }; f(VISIT)",
  ],
])('it has not failed where %s', (_, call) => {
  expect(lastFailed(marksOf(call)).size).toBe(0);
});
