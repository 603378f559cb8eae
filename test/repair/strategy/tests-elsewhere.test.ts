import { expect, it } from 'vitest';
import type { BoundedSearch } from '../../../src/repair/strategy/group-search.ts';
import { areLocal, byTestsElsewhere } from '../../../src/repair/strategy/tests-elsewhere.ts';
import { planFor } from '../../support/checks.ts';
import { contextFor, createRepo } from '../../support/repair-repo.ts';

const claim = (signature: string) => ({
  candidate: { edits: [], operator: 'test', line: 1, signature, prior: 1 },
  fixed: 1,
});
const [right, lucky, unjudged] = ['right', 'lucky', 'unjudged'].map(claim) as [
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
];

it('keeps the claims that fix the most tests of other files, and those that could not be tried there', () => {
  const elsewhere = new Map([
    [right.candidate, 3],
    [lucky.candidate, 1],
  ]);
  expect(byTestsElsewhere([lucky, right, unjudged], elsewhere)).toEqual([{ ...right, fixed: 4 }, unjudged]);
});

it('keeps every claim if none fixes a test elsewhere: those failures have another cause', () => {
  const claims = [right, lucky];
  expect(byTestsElsewhere(claims, new Map([[right.candidate, 0]]))).toBe(claims);
});

it('tells claims that fix nothing in another file with failing tests of the same source', async () => {
  const root = createRepo({
    'src/a.js': 'export const a = 1;\n',
    'test/one.js': "import { a } from '../src/a.js';\n",
    'test/two.js': "import { b } from './b.js';\n",
  });
  const context = await contextFor(root, { checks: [] });
  const edits = [{ file: 'src/a.js', start: 0, end: 0, replacement: '' }];
  const local = { ...right, candidate: { ...right.candidate, edits } };
  const ask = (testFile: string, fixed: number): Promise<boolean> =>
    areLocal(
      {
        context,
        others: [{ context, check: planFor('node'), testFile }],
        fixedElsewhere: new Map([[local.candidate, fixed]]),
      } as unknown as BoundedSearch,
      [local],
    );
  expect(await ask('test/one.js', 0)).toBe(true);
  expect(await ask('test/one.js', 2)).toBe(false);
  expect(await ask('test/two.js', 0)).toBe(false);
});
