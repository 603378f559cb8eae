import { describe, expect, it } from 'vitest';
import { coveringTests } from '../../../src/proof/strength/covering-tests.ts';
import type { CheckSettings } from '../../../src/checks/requests.ts';
import type { StrengthRequest } from '../../../src/ports/acceptance.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const TESTS = {
  'test/direct.test.js': "import { a } from '../src/a.js';",
  'test/through.test.js': "import { b } from '../src/b.js';",
  'test/other.test.js': "import { c } from '../src/c.js';",
  'test/starts.test.js': "import { spawn } from 'node:child_process';",
};

function covering(changed: string, tests: Readonly<Record<string, string>> = TESTS) {
  const root = temporaryFolder();
  const sources = { 'src/a.js': 'export const a = 1;', 'src/c.js': 'export const c = 1;' };
  writeFiles(root, { ...sources, 'src/b.js': "export { a as b } from './a.js';", ...tests });
  const reported = Object.keys(tests).map((file) => ({
    id: `${file} > t`,
    name: 't',
    file,
    status: 'passed',
  }));
  const settings = { checks: [createCheck(planFor('vitest'))] } as unknown as CheckSettings;
  const request = { root, evaluation: { tests: reported } } as unknown as StrengthRequest;
  return coveringTests(settings, request, [changed]).flatMap(({ files }) => files);
}

describe('coveringTests', () => {
  it('takes the tests that import the file, directly or through others, and those that start programs', () => {
    expect(covering('src/a.js')).toEqual([
      'test/direct.test.js',
      'test/through.test.js',
      'test/starts.test.js',
    ]);
  });

  it('takes every test where none imports the file', () => {
    expect(covering('src/unknown.js')).toEqual(Object.keys(TESTS));
  });
});
