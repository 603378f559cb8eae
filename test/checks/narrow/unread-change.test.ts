import { describe, expect, test } from 'vitest';
import { resultBefore, type Change } from '../../../src/checks/narrow/unread-change.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import type { CheckResult, Evaluation } from '../../../src/schema/generated.ts';
import { planFor, runCheckIn } from '../../support/checks.ts';
import { linkModules, temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

function evaluationWith(check: object): Evaluation {
  const diagnostics = [{ check: 'types', message: 'a warning' }, { check: 'lint' }];
  return { checks: [{ name: 'types', weight: 1, score: 1, ...check }], diagnostics } as unknown as Evaluation;
}

const modified = (...paths: string[]): Change[] => paths.map((path) => ({ path, kind: 'modified' }));

describe('tsc', () => {
  const plan = planFor('tsc', { name: 'types', kind: 'types', config: 'tsconfig.json' });
  const files: Files = {
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions: { strict: true, types: [] }, include: ['src'] },
    'src/a.ts': `import { b } from '../lib/b.js';\nexport const a: number = b;\n`,
    'lib/b.js': 'export const b = 1;\n',
    'lib/b.d.ts': 'export const b: number;\n',
    'scripts/build.ts': 'export const unread: string = 1;\n',
  };

  async function beforeChange(): Promise<{ root: string; previous: Evaluation }> {
    const root = temporaryFolder();
    writeFiles(root, files);
    linkModules(root, ['typescript']);
    const { diagnostics: _diagnostics, tests: _tests, ...report } = await runCheckIn(root, plan);
    expect(report.status).toBe('pass');
    return { root, previous: evaluationWith(report) };
  }

  test('is not run again for files that it does not list', async () => {
    const { root, previous } = await beforeChange();
    const untouched = modified('lib/b.js', 'scripts/build.ts', 'README.md');
    const report = resultBefore({ plan, root, changed: untouched, previous });
    expect(report).toMatchObject({ status: 'pass', duration_ms: 0, diagnostics: [{ message: 'a warning' }] });
    expect(report).not.toHaveProperty('weight');
    const unread = 'No errors in 2 files. It did not run again, since it reads none of the changed files.';
    expect(report!.detail).toBe(unread);
    const later = { ...previous, checks: [{ ...report!, weight: 1, score: 1 }] };
    expect(resultBefore({ plan, root, changed: untouched, previous: later })!.detail).toBe(unread);

    const runs: Change[][] = [
      modified('lib/b.d.ts'),
      modified('README.md', 'src/a.ts'),
      modified('package.json'),
      modified('tsconfig.base.json'),
      modified('node_modules/x/index.d.ts'),
      [{ path: 'src/c.ts', kind: 'added' }],
      [{ path: 'lib/b.js', kind: 'deleted' }],
      [],
    ];
    for (const changed of runs) expect(resultBefore({ plan, root, changed, previous })).toBeUndefined();
  });
});

describe('tsd', () => {
  const plan = { ...planFor('command', { name: 'types', kind: 'types' }), args: ['tsd'] };
  const previous = evaluationWith({ status: 'pass', detail: 'Exit code 0.' });
  const isKept = (
    settings: Files,
    changed: Change[],
    asked: CheckPlan = plan,
    before = previous,
  ): boolean => {
    const root = temporaryFolder();
    writeFiles(root, { 'package.json': {}, ...settings });
    return resultBefore({ plan: asked, root, changed, previous: before }) !== undefined;
  };

  test('is not run again for JavaScript', () => {
    expect(isKept({}, modified('index.js', 'lib/x.mjs'))).toBe(true);
    expect(isKept({ 'tsconfig.json': { compilerOptions: { strict: true } } }, modified('index.js'))).toBe(
      true,
    );
  });

  test.each<[string, Parameters<typeof isKept>]>([
    ['for a declaration', [{}, modified('index.d.ts')]],
    ['for JavaScript that it may read', [{ 'tsconfig.json': '{"allowJs": true}' }, modified('index.js')]],
    ['with unknown settings', [{ 'tsconfig.json': '{"extends": "x"}' }, modified('index.js')]],
    ['behind a build', [{}, modified('index.js'), { ...plan, setup: ['npm run build'] }]],
    ['with another command', [{}, modified('index.js'), { ...plan, args: ['tsd && node x.js'] }]],
    ['as another program', [{}, modified('index.js'), { ...plan, args: ['tstyche'] }]],
    [
      'after it failed',
      [{}, modified('index.js'), plan, evaluationWith({ status: 'fail' } as Partial<CheckResult>)],
    ],
  ])('runs again %s', (_, given) => {
    expect(isKept(...given)).toBe(false);
  });
});
