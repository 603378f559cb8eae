import { describe, expect, test } from 'vitest';
import { describeUndelivered } from '../../../src/proof/delivery/undelivered.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

/** The sentence on a folder with an ignored file and a clean checkout of it. */
function described(output: string, isOwn: boolean): string {
  const [worked, delivered] = [temporaryFolder(), temporaryFolder()];
  const manifest = { scripts: { build: 'tsc' } };
  writeFiles(worked, { 'package.json': manifest, 'dist/a.js': '', 'node_modules/b/index.js': '' });
  writeFiles(delivered, { 'package.json': manifest, 'node_modules/b/index.js': '' });
  return describeUndelivered({ worked, delivered, packageDir: '.', output, isOwn });
}

const MISSING = "Cannot find module './dist/a.js'";

describe('ignored files that a clean checkout does not have', () => {
  test('of an attempt', () => {
    expect(described(MISSING, false)).toContain(
      'The tests read dist/, which git ignores: it is not delivered',
    );
    expect(described('AssertionError', false)).toContain("The attempt's working copy also has dist/");
  });

  test('of the user’s tree, in which no attempt worked', () => {
    expect(described(MISSING, true)).toBe(
      ' Its output names dist/, which git ignores: a clean checkout does not have it. Let the test command run `npm run build`.',
    );
    expect(described('AssertionError', true)).toBe('');
  });
});
