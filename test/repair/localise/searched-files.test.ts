import { describe, expect, it } from 'vitest';
import type { ProjectPlan } from '../../../src/ports/plan.ts';
import { searchedFiles } from '../../../src/repair/localise/searched-files.ts';

const FILES = [
  'src/a.ts',
  'dist/src/a.js',
  'packages/a/dist/a.js',
  'dist/a.d.ts',
  'dist/a.min.js',
  'test/a.js',
];

function projectWith(setup: readonly string[]): { project: ProjectPlan } {
  return { project: { checks: [{ kind: 'tests', setup }] } as unknown as ProjectPlan };
}

describe('searchedFiles', () => {
  it('takes in the code that a build writes before the tests', () => {
    expect(FILES.filter(searchedFiles(projectWith(['npm run build'])))).toEqual([
      'src/a.ts',
      'dist/src/a.js',
      'packages/a/dist/a.js',
    ]);
  });

  it('leaves built code alone where no build runs', () => {
    expect(FILES.filter(searchedFiles(projectWith([])))).toEqual(['src/a.ts']);
  });
});
