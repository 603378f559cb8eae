import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStrengthMeter } from '../../../src/proof/strength/strength-meter.ts';
import { createCheck } from '../../../src/tools.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy, type RepairTool } from '../../support/repair-repo.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const SOURCE = 'export function adult(age) {\n  return age >= 18;\n}\n';

async function measure(tool: RepairTool, cases: string) {
  const tests = `${TEST_HEAD[tool]}import { adult } from '../src/subject.js';\ntest('adult', () => { ${cases} });\n`;
  const root = createRepo({ 'src/subject.js': SOURCE, 'test/subject.test.js': tests });
  const checks = testsBy(tool);
  const context = await contextFor(root, { checks });
  const patch = `diff --git a/src/subject.js b/src/subject.js\n--- a/src/subject.js\n+++ b/src/subject.js\n@@ -1,3 +1,3 @@\n export function adult(age) {\n-  return age > 21;\n+  return age >= 18;\n }\n`;
  const settings = {
    plan: context.project,
    checks: checks.map(createCheck),
    cacheDir: temporaryFolder(),
    checkTimeoutMs: 60_000,
  };
  const strength = await createStrengthMeter(settings).measure({
    root,
    changes: { files: [], linesAdded: 1, linesDeleted: 1, patch },
    evaluation: context.evaluation,
    testFiles: [],
    timeoutMs: 60_000,
    signal: context.signal,
    onProgress: () => {},
  });
  expect(readFileSync(join(root, 'src/subject.js'), 'utf8')).toBe(SOURCE);
  return strength;
}

describe('createStrengthMeter', { timeout: 180_000 }, () => {
  it('catches every mutant where the tests hold the boundary', async () => {
    const strength = await measure('node', 'assert.equal(adult(18), true); assert.equal(adult(17), false);');
    expect(strength).toMatchObject({ survivors: [], unneeded: [], complete: true });
    expect(strength.caught).toBe(strength.tried);
    expect(strength.tried).toBeGreaterThan(3);
  });

  it('names the mutant that the tests miss', async () => {
    const strength = await measure('node', 'assert.equal(adult(30), true); assert.equal(adult(10), false);');
    expect(strength.survivors).toContainEqual({
      file: 'src/subject.js',
      line: 2,
      before: 'age >= 18',
      after: 'age > 18',
    });
    expect(strength.unneeded).toEqual([{ file: 'src/subject.js', line: 2, lines: 1 }]);
  });
});
