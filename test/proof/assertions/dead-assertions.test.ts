import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { findDodgedIn, marksIn, withWatch } from '../../../src/proof/assertions/dead-assertions.ts';
import { watchedAssertions } from '../../../src/proof/assertions/watched-places.ts';

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
  const places = watchedAssertions(source);
  runInNewContext(withWatch(source, places, { id: '0', to: '/marks', instead: 'throw error' }), globals);
  return marks;
}

test('an assertion whose error the code drops has failed last', () => {
  const dropped = "const f = (visit) => { try { visit('c', 2); } catch {} }; f(VISIT)";
  expect(marksIn(marksOf(dropped)).failed.size).toBe(1);
});

test.each([
  ['it holds', "const f = (visit) => visit('c', 3); f(VISIT)"],
  ['it does not run', "const f = (visit) => visit('b', 2); f(VISIT)"],
  [
    'it is tried again and holds',
    "const f = (visit) => { try { visit('c', 2); } catch { visit('c', 3); } }; f(VISIT)",
  ],
])('it has not failed where %s', (_, call) => {
  expect(marksIn(marksOf(call)).failed.size).toBe(0);
});

/** The assertion that a change dodges, by the source of a test and what it is given in the base and now. */
function dodgedOf(body: string, base: unknown, now: unknown, head = ''): string | undefined {
  const source = `${head}test('value', (given) => {\n${body}\n})`;
  const places = watchedAssertions(source);
  const marksFor = (given: unknown) => {
    let marks = '';
    const appendFileSync = (_: string, mark: string): void => void (marks += mark);
    const globals = {
      process: { getBuiltinModule: () => ({ appendFileSync }) },
      test: (_: string, run: (it: unknown) => void) => run(given),
      assert(holds: boolean) {
        if (!holds) throw new Error('differs');
      },
    };
    runInNewContext(withWatch(source, places, { id: '0', to: '/marks', instead: '' }), globals);
    return marksIn(marks);
  };
  const found = findDodgedIn(places, { at: 0, ran: marksFor(now).ran, before: marksFor(base) });
  return found && source.slice(found.from, found.to);
}

test.each([
  ['a condition', 'if (given.ok) assert(given.value === 5)'],
  ['a short circuit', 'given.ok && assert(given.value === 5)'],
  ['a choice', 'given.ok ? assert(given.value === 5) : 0'],
  ['a switch', 'switch (given.ok) { case true: assert(given.value === 5) }'],
  ['an early return', 'if (!given.ok) return;\nassert(given.value === 5)'],
  [
    'a function with a name',
    'const look = (given) => { assert(given.value === 5) }; for (const it of [given].filter((x) => x.ok)) look(it)',
  ],
  [
    'a condition beside an assertion that held before',
    'assert(given.kind); if (given.ok) assert(given.value === 5)',
  ],
])('an assertion that failed and no longer runs is found behind %s', (_, body) => {
  const base = { ok: true, value: '5', kind: 'x' };
  expect(dodgedOf(body, base, { ...base, ok: false })).toBe('assert(given.value === 5)');
});

test.each([
  ['it runs and holds', 'if (given.ok) assert(given.value === 5)', { ok: true, value: 5 }],
  [
    'another one shows the repair',
    'assert(given.kind === 1); if (given.ok) assert(given.value === 5)',
    { ok: false, kind: 1 },
  ],
  [
    'the right branch runs now',
    'if (given.ok) assert(given.value === 5); else assert(given.kind === 1)',
    { ok: false, kind: 1 },
  ],
  ['it is there for an error', 'if (given.error) assert(given.value === 5)', { ok: false }],
])('none is found where %s', (_, body, now) => {
  const base = { ok: true, value: '5', kind: 0, error: 'x' };
  expect(dodgedOf(body, base, now)).toBeUndefined();
});

test('a test that says that something does not happen is left alone', () => {
  const source = "test('is not given', () => { if (given.ok) assert(given.value === 5) })";
  expect(watchedAssertions(source)).toEqual([]);
});

test('an assertion in a function beside the test is found, unless other tests use it', () => {
  const head = 'const check = (it) => { if (it.ok) assert(it.value === 5); };\n';
  const base = { ok: true, value: '5' };
  expect(dodgedOf('check(given)', base, { ok: false }, head)).toBe('assert(it.value === 5)');
  const uses = "test('a', () => { check(f()) });\ntest('b', () => { check(g()) });";
  expect(watchedAssertions(head + uses)).toEqual([]);
});
