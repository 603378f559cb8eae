import { expect, it } from 'vitest';
import { removedTypeErrors } from '../../../src/repair/fixers/count-type-errors.ts';
import { byTypeErrors } from '../../../src/repair/strategy/type-errors.ts';
import { planFor } from '../../support/checks.ts';
import { contextFor, createRepo } from '../../support/repair-repo.ts';

const claim = (replacement: string) => ({
  candidate: {
    edits: [{ file: 'src/a.ts', start: 54, end: 55, replacement }],
    ...{ operator: 'test', line: 1, signature: replacement, prior: 1 },
  },
  fixed: 1,
});
const [right, lucky, worse] = ['[a]', '[0]', 'b'].map(claim) as [
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
  ReturnType<typeof claim>,
];

it('keeps the claims that remove the most type errors', () => {
  const removed = new Map([
    [right.candidate, 2],
    [lucky.candidate, 1],
  ]);
  expect(byTypeErrors([lucky, right, worse], removed)).toEqual([right]);
});

it('keeps every claim if none removes a type error: those have another cause', () => {
  const claims = [right, lucky];
  expect(byTypeErrors(claims, new Map([[right.candidate, -1]]))).toBe(claims);
});

it('counts the type errors that each edit removes or adds', { timeout: 60_000 }, async () => {
  const root = createRepo({
    'tsconfig.json': { compilerOptions: { strict: true, noEmit: true, types: [] }, include: ['src'] },
    'src/a.ts': 'export const list = (a: string): string[] => { return a; };\n',
  });
  const context = await contextFor(root, { checks: [planFor('tsc', { config: 'tsconfig.json' })] });
  const candidates = [right, lucky, worse].map(({ candidate }) => candidate);
  expect([...(await removedTypeErrors(context, candidates)).values()]).toEqual([1, 0, 0]);
  expect(
    await removedTypeErrors(
      { ...context, evaluation: { ...context.evaluation, diagnostics: [] } },
      candidates,
    ),
  ).toEqual(new Map());
});
