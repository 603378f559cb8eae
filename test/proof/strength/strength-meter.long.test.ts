import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStrengthMeter } from '../../../src/proof/strength/strength-meter.ts';
import type { IsActing } from '../../../src/ports/acceptance.ts';
import type { CheckPlan } from '../../../src/ports/plan.ts';
import { createCheck } from '../../../src/tools.ts';
import { planFor } from '../../support/checks.ts';
import { contextFor, createRepo, TEST_HEAD, testsBy, type RepairTool } from '../../support/repair-repo.ts';
import { temporaryFolder } from '../../support/repositories.ts';

const SOURCE = 'export function adult(age) {\n  return age >= 18;\n}\n';

const BRANCH =
  'export function adult(age) {\n  if (age < 0) {\n    throw new RangeError(age);\n  }\n  return age >= 18;\n}\n';

interface Given {
  readonly source?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** A command that is a criterion of the task. */
  readonly accept?: string;
  /** Default: all lines of the source are new. */
  readonly patch?: string;
  readonly isActing?: IsActing;
  readonly blocksMs?: number;
}

function criterion(command: string): CheckPlan {
  const plan = { name: 'accept1', kind: 'command', args: [command] } as const;
  return planFor('command', { ...plan, criterion: { text: 'It tells adults.', source: 'accept' } });
}

async function measure(tool: RepairTool, cases: string, { source = SOURCE, ...given }: Given = {}) {
  const tests = `${TEST_HEAD[tool]}import { adult } from '../src/subject.js';\ntest('adult', () => { ${cases} });\n`;
  const root = createRepo({ 'src/subject.js': source, 'test/subject.test.js': tests });
  const checks = [...testsBy(tool), ...(given.accept === undefined ? [] : [criterion(given.accept)])];
  const context = await contextFor(root, { checks });
  const lines = source
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}`);
  const head = 'diff --git a/src/subject.js b/src/subject.js\n--- a/src/subject.js\n+++ b/src/subject.js';
  const patch = [head, `@@ -1 +1,${lines.length} @@`, '-export const adult = () => true;', ...lines, ''].join(
    '\n',
  );
  const settings = {
    plan: context.project,
    checks: checks.map(createCheck),
    cacheDir: temporaryFolder(),
    checkTimeoutMs: 60_000,
  };
  const strength = await createStrengthMeter(settings).measure({
    root,
    changes: { files: [], linesAdded: 1, linesDeleted: 1, patch: given.patch ?? patch },
    evaluation: context.evaluation,
    testFiles: [],
    timeoutMs: given.timeoutMs ?? 60_000,
    ...(given.blocksMs !== undefined && { blocksMs: () => given.blocksMs! }),
    ...(given.isActing && { onlyBlocks: true, isActing: given.isActing }),
    signal: given.signal ?? context.signal,
    onProgress: () => {},
  });
  expect(readFileSync(join(root, 'src/subject.js'), 'utf8')).toBe(source);
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
  });

  it('asks the commands of criteria about the mutants that the tests miss', async () => {
    const cases = 'assert.equal(adult(30), true); assert.equal(adult(10), false);';
    const accept = (ages: string): string =>
      `node -e "import('./src/subject.js').then(({ adult }) => process.exit(${ages} ? 0 : 1))"`;
    const held = await measure('node', cases, { accept: accept('adult(18) && !adult(17)') });
    expect(held).toMatchObject({ survivors: [], unneeded: [], complete: true });
    expect(held.caught).toBe(held.tried);
    const missed = await measure('node', cases, { accept: accept('adult(19)') });
    expect(missed.survivors.map(({ after }) => after).sort()).toEqual(['17', '19', 'age > 18']);
  });

  it('names a line that no test runs, and no mutant of it', async () => {
    const cases = 'assert.equal(adult(18), true); assert.equal(adult(17), false);';
    const { unexecuted, survivors } = await measure('vitest', cases, { source: BRANCH });
    expect(unexecuted).toEqual([{ file: 'src/subject.js', line: 3 }]);
    expect(survivors.map(({ line }) => line)).not.toContain(3);
    expect(survivors).not.toEqual([]);
    const thrown = await measure('vitest', `${cases} assert.throws(() => adult(-1));`, { source: BRANCH });
    expect(thrown.unexecuted).toEqual([]);
  });

  it('names a changed block that nothing misses', async () => {
    const { unneeded } = await measure('node', 'assert.equal(adult(30), true);');
    expect(unneeded).toEqual([{ file: 'src/subject.js', line: 1, lines: 3 }]);
  });

  it('names a new declaration that nothing misses if the caller says that it acts', async () => {
    const source = `${SOURCE}export const send = (age) => fetch(age);\n`;
    const head = 'diff --git a/src/subject.js b/src/subject.js\n--- a/src/subject.js\n+++ b/src/subject.js\n';
    const patch = `${head}@@ -3 +3,2 @@\n }\n+export const send = (age) => fetch(age);\n`;
    const cases = 'assert.equal(adult(30), true);';
    const seen: unknown[] = [];
    const isActing: IsActing = (...all) => seen.push(all) > 0;
    const { unneeded, tried } = await measure('node', cases, { source, patch, isActing });
    expect({ unneeded, tried }).toEqual({
      unneeded: [{ file: 'src/subject.js', line: 4, lines: 1 }],
      tried: 0,
    });
    expect(seen).toContainEqual(['src/subject.js', source, { first: 4, last: 4 }]);
    const may = await measure('node', cases, { source, patch, isActing: () => false });
    expect(may.unneeded).toEqual([]);
  });

  it('names a statement of a needed block that no test misses, where the caller asks what code does', async () => {
    const source =
      'export const seen = [];\nexport function adult(age) {\n  const is = age >= 18;\n  seen.length = 0;\n  return is;\n}\n';
    const cases = 'assert.equal(adult(30), true); assert.equal(adult(10), false);';
    const part = { file: 'src/subject.js', line: 4, lines: 1, added: 'seen.length = 0;' };
    const asked = await measure('node', cases, { source, isActing: () => false });
    expect(asked.unneeded).toEqual([part]);
    expect((await measure('node', cases, { source })).unneeded).toEqual([]);
  });

  it('names a question that the tests answer in one way only', async () => {
    const line = "  return by === 'test' ? age >= 18 : age >= 21;";
    const source = `export function adult(age, by = 'test') {\n${line}\n}\n`;
    const head = 'diff --git a/src/subject.js b/src/subject.js\n--- a/src/subject.js\n+++ b/src/subject.js\n';
    const patch = `${head}@@ -2 +2 @@\n-  return age >= 21;\n+${line}\n`;
    const part = { file: 'src/subject.js', line: 2, lines: 1, added: "by === 'test'", always: true };
    const cases = 'assert.equal(adult(18), true); assert.equal(adult(17), false);';
    expect((await measure('node', cases, { source, patch })).unneeded).toEqual([part]);
    const both = `${cases} assert.equal(adult(18, 'user'), false);`;
    expect((await measure('node', both, { source, patch })).unneeded).toEqual([]);
  });

  it('tries the changed blocks of a slow suite in a time of their own, or says how many were not tried', async () => {
    const cases = 'assert.equal(adult(30), true); for (const end = Date.now() + 2500; Date.now() < end;);';
    const given = { timeoutMs: 4000, source: 'export function adult(age) {\n  return age > 0;\n}\n' };
    const cut = await measure('node', cases, given);
    expect(cut).toMatchObject({
      unneeded: [],
      unshown: { reason: 'the time for it was up', flag: '--proof-time' },
    });
    expect(cut.unshown!.blocks).toBeLessThanOrEqual(cut.unshown!.of);
    const { unneeded, unshown } = await measure('node', cases, { ...given, blocksMs: 90_000 });
    expect(unneeded).toEqual([{ file: 'src/subject.js', line: 1, lines: 3 }]);
    expect(unshown).toBeUndefined();
  });

  it('says that no changed block was tried where the tests do not pass again', async () => {
    const once =
      "const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs'); const seen = existsSync('seen'); writeFileSync('seen', ''); assert.equal(seen, false);";
    const strength = await measure('vitest', `assert.equal(adult(30), true); ${once}`);
    expect(strength.unshown).toMatchObject({
      reason: 'the tests that cover the change did not pass again by themselves',
    });
    expect(strength.unshown).not.toHaveProperty('flag');
  });

  it('says that it is not complete, and restores the file, when the time ends or it is aborted', async () => {
    const cases = 'assert.equal(adult(18), true); for (const end = Date.now() + 1500; Date.now() < end;);';
    expect(await measure('node', cases, { timeoutMs: 2500 })).toMatchObject({ complete: false });
    const signal = AbortSignal.timeout(5000);
    expect(await measure('node', cases, { signal })).toMatchObject({ complete: false });
  });
});
